"""Invariant 5 over the whole curriculum, with what `grade check` says of it: stubs fail, solutions pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support import ROOT, words

from grader import audit, backends
from grader.discover import select, submissions
from grader.exercise import Exercise, Submission
from grader.page import broken_links
from grader.portable import compile_faults, targets
from grader.runner import Runner
from grader.trials import solution_trial, stub_trial

EXERCISES = select(ROOT, ["all"])
ON_GPU = backends.get("auto").name == "gpu"


def named(tree: str) -> list[Any]:
    every = submissions(EXERCISES, ROOT / tree, None)
    return [pytest.param(one, id=f"{one.exercise.id}-{one.track}") for one in every]


@pytest.mark.parametrize("submission", named("levels"))
def test_stub_fails_as_it_should(submission: Submission, runner: Runner) -> None:
    """It is not started; or wrong in the first case, where code is given that somebody has to mend."""
    assert stub_trial(ROOT, submission, runner.grade(submission)) == []


@pytest.mark.parametrize("submission", named("solutions"))
def test_solution_passes(submission: Submission, runner: Runner) -> None:
    verdict = runner.grade(submission)
    assert solution_trial(submission, verdict) == []
    timed = ON_GPU and submission.track in submission.exercise.goals
    assert verdict.grade == ("great" if timed else "correct (not timed)"), words(verdict)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_all_that_can_be_read_is_in_order(exercise: Exercise) -> None:
    assert audit.reference_faults(exercise) == []
    assert audit.page_faults(exercise) == []
    assert audit.lesson_faults(ROOT, exercise) == []
    assert audit.case_faults(exercise) == []
    assert audit.goal_faults(exercise) == []
    assert audit.file_faults(ROOT, exercise) == []


COMPILED = [
    pytest.param(one, id=f"{one.exercise.id}-{one.folder.name}")
    for exercise in EXERCISES
    for one in (exercise.implementations or (Submission(exercise, "cuda", ROOT / "solutions" / exercise.id),))
    if one.track == "cuda" and ("cuda" in exercise.tracks or exercise.implementations)
]


@pytest.mark.parametrize("submission", COMPILED)
def test_every_kernel_compiles_for_every_gpu_that_it_is_meant_for(submission: Submission, runner: Runner) -> None:
    archs = targets(submission.exercise.needs)
    assert len(archs) >= 4
    assert compile_faults(submission.folder, runner.builds(submission), archs) == []


PAGES = [*sorted((ROOT / "levels").rglob("README.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_nothing_is_left_over_in_the_tree() -> None:
    assert audit.leftovers(ROOT, [exercise.id for exercise in EXERCISES]) == []
