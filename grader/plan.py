"""Which problems a submission is checked on, in which order, and with which data."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.contract import derive_seed, random_case
from grader.exercise import Case, Submission

SMALL = 1 << 15
"""Elements (the product of a case's sizes) up to which a case is checked with every kind of data. Larger ones are
there for the grid, and cost the virtual GPU time: they get ordinary data, and then fresh ordinary data."""


@dataclass(frozen=True)
class Step:
    """One problem in one element type, and the kinds of data it is called with, each followed by its salt."""

    check: str
    case: Case
    dtype: str
    data: tuple[tuple[str, int], ...]

    @property
    def label(self) -> str:
        return f"{describe_case(self.case)}, {self.dtype}"


def plan(submission: Submission, seed: int, on_gpu: bool) -> Iterator[Step]:
    """The first case in every type, then all others and a fresh random one, then the timed size on a GPU."""
    exercise = submission.exercise
    rng = random.Random(derive_seed(seed, exercise.id))
    stages: list[tuple[str, list[Case]]] = [
        ("tiny", [exercise.cases[0]]),
        ("awkward", [*exercise.cases[1:], random_case(exercise.cases, rng, exercise.fixed)]),
    ]
    if on_gpu:
        stages.append(("large", [exercise.bench]))
    yield from _steps(submission, stages)


def hidden_plan(submission: Submission) -> Iterator[Step]:
    """The cases that no report shows, after all others were right."""
    return _steps(submission, [("hidden", list(submission.exercise.hidden))])


def _steps(submission: Submission, stages: Sequence[tuple[str, Sequence[Case]]]) -> Iterator[Step]:
    kinds = submission.exercise.kinds
    every = tuple((kind, 0) for kind in kinds)
    ordinary = (kinds[0], 0), (kinds[0], 1)
    for check, cases in stages:
        for dtype in submission.dtypes:
            for case in cases:
                yield Step(check, case, dtype, every if elements(case) <= SMALL else ordinary)


def describe_case(case: Case) -> str:
    """ "n=257, alpha=2.5" """
    return ", ".join(f"{name}={value}" for name, value in case.items())


def elements(case: Case) -> int:
    """The product of a case's sizes; scalars do not count."""
    return math.prod(size for size in case.values() if isinstance(size, int))
