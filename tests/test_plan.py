"""Which cases are checked, in which order, with which data."""

from __future__ import annotations

from dataclasses import replace

from support import ROOT

from grader.exercise import Exercise, Submission
from grader.plan import SMALL, elements, plan


def submission(exercise: Exercise, **changes: object) -> Submission:
    return Submission(replace(exercise, **changes), "triton", ROOT / "solutions" / exercise.id)  # type: ignore[arg-type]


def test_the_first_case_comes_first_in_every_type(exercise: Exercise) -> None:
    steps = list(plan(submission(exercise), 0, on_gpu=False))
    assert [step.dtype for step in steps[:3]] == list(exercise.dtypes["triton"])
    assert {step.check for step in steps[:3]} == {"tiny"} and {step.check for step in steps[3:]} == {"awkward"}


def test_small_cases_see_every_kind_of_data_and_large_ones_two_draws(exercise: Exercise) -> None:
    for step in plan(submission(exercise, cases=({"n": 33}, {"n": SMALL + 1})), 0, on_gpu=True):
        kinds = [kind for kind, _ in step.data]
        assert kinds == (list(exercise.kinds) if elements(step.case) <= SMALL else ["normal", "normal"])
        assert len(set(step.data)) == len(step.data)


def test_the_timed_size_is_checked_where_there_is_a_gpu(exercise: Exercise) -> None:
    assert not [step for step in plan(submission(exercise), 0, on_gpu=False) if step.check == "large"]
    large = [step for step in plan(submission(exercise), 0, on_gpu=True) if step.check == "large"]
    assert [step.case for step in large] == [exercise.bench] * 3


def test_one_case_is_new_with_every_seed(exercise: Exercise) -> None:
    def sizes(seed: int) -> set[int | float]:
        return {step.case["n"] for step in plan(submission(exercise), seed, on_gpu=False)}

    fixed = {case["n"] for case in exercise.cases}
    fresh = [sizes(seed) - fixed for seed in range(20)]
    assert len(set().union(*fresh)) > 10
    assert sizes(3) == sizes(3)
