"""The naive kernels, from which calibrate.py derives what a pass is, are right, and on a GPU at most a pass.

They are checked in the one element type that is timed and, on the virtual GPU, on the smaller half of the cases: what
is slow there teaches nothing more. Before it is timed on a GPU, each is graded in all.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

import pytest
from support import ROOT, words

from grader.discover import select
from grader.exercise import Submission
from grader.mutants import track_of
from grader.outcome import Status
from grader.runner import Runner

NAIVE = ROOT / "tests/naive"
FILES = [path for path in sorted(NAIVE.rglob("*")) if path.is_file() and path.parent.name != "__pycache__"]
FOUND = list(dict.fromkeys((path.parent.relative_to(NAIVE).as_posix(), track_of(path.name)) for path in FILES))


def test_every_naive_kernel_has_an_exercise() -> None:
    tracks = {exercise.id: exercise.tracks for exercise in select(ROOT, ["all"])}
    assert FOUND
    assert not [(name, track) for name, track in FOUND if track not in tracks.get(name, ())]


@pytest.mark.parametrize(("name", "track"), FOUND, ids=["-".join(one) for one in FOUND])
def test_naive_kernel_is_right_and_slow(name: str, track: str, runner: Runner) -> None:
    (exercise,) = select(ROOT, [name])
    small = sorted(exercise.cases, key=lambda case: prod(map(abs, case.values())))
    cases = exercise.cases if runner.backend.name == "gpu" else tuple(small[: max(3, len(small) // 2)])
    timed = replace(exercise, dtypes={track: exercise.dtypes[track][:1]}, cases=cases)
    verdict = runner.grade(Submission(timed, track, NAIVE / name))
    assert verdict.outcome.status is Status.CORRECT, words(verdict)
    assert verdict.grade not in ("good", "great"), words(verdict)
