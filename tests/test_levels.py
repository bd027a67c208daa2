"""Invariant 5 over the whole curriculum: every stub is not started, every solution passes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, words

from grader import backends
from grader.contract import load_contract
from grader.discover import select, submissions
from grader.exercise import Exercise, Submission
from grader.outcome import Status
from grader.runner import Runner

EXERCISES = select(ROOT, ["all"])
ON_GPU = backends.get("auto").name == "gpu"
HEADINGS = ["Task", "Picture", "Hints", "Measure", "Next"]


def named(tree: str) -> list[Any]:
    every = submissions(EXERCISES, ROOT / tree, None)
    return [pytest.param(one, id=f"{one.exercise.id}-{one.track}") for one in every]


def to_mend(submission: Submission) -> bool:
    """Whether the stub is wrong code that somebody has to mend, and no empty region."""
    solution = ROOT / "solutions" / submission.exercise.id
    return any("// STUB:" in (solution / path.name).read_text() for path in submission.files)


@pytest.mark.parametrize("submission", [stub for stub in named("levels") if not to_mend(stub.values[0])])
def test_stub_is_not_started(submission: Submission, runner: Runner) -> None:
    verdict = runner.grade(submission)
    assert verdict.grade == "not started", words(verdict)
    assert verdict.outcome.status is Status.WRONG
    files = {submission.shown(path) for path in submission.files}
    assert re.search("a TODO remains in |TODOs remain in ", verdict.reason)
    assert all(f"{path}:" in verdict.reason for path in files)


@pytest.mark.parametrize("submission", [stub for stub in named("levels") if to_mend(stub.values[0])])
def test_code_to_mend_is_wrong(submission: Submission, runner: Runner) -> None:
    verdict = runner.grade(submission)
    assert verdict.grade == "failed" and verdict.outcome.status is Status.WRONG, words(verdict)
    assert verdict.outcome.cases[-1].check == "tiny" and verdict.outcome.detail


@pytest.mark.parametrize("submission", named("solutions"))
def test_solution_passes(submission: Submission, runner: Runner) -> None:
    verdict = runner.grade(submission)
    timed = ON_GPU and submission.track in submission.exercise.goals
    assert verdict.grade == ("great" if timed else "correct (not timed)"), words(verdict)
    assert all(case.worst is not None and case.worst < 0.85 for case in verdict.outcome.cases)
    assert not [finding for finding in verdict.outcome.findings if finding["severity"] == "error"]
    assert all(build["spill_stores"] == 0 for build in verdict.outcome.build)
    judged = {case.dtype for case in verdict.outcome.cases if case.status is Status.CORRECT}
    assert judged == (set() if submission.track == "answer" else set(submission.dtypes))


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_page_has_its_headings(exercise: Exercise) -> None:
    page = (exercise.folder / "README.md").read_text()
    assert re.findall(r"^## (.*)", page, re.MULTILINE) == HEADINGS
    assert f"grade {exercise.slug}" in page
    assert page.count("<details>") == page.count("</details>") >= 2


PAGES = [*sorted((ROOT / "levels").rglob("README.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
        assert (page.parent / target).exists(), f"{page} links to {target}"


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_cases_hold_what_makes_kernels_fail(exercise: Exercise) -> None:
    """Several sizes, none of them only powers of two; the contract is sound at the timed size's names."""
    contract = load_contract(exercise)
    assert contract.signature(exercise.cases[0])
    sizes = {value for case in exercise.cases for value in case.values() if isinstance(value, int)}
    assert len(exercise.cases) >= 6 or exercise.tracks == ("answer",)
    assert any(size & (size - 1) for size in sizes)


def test_nothing_is_left_over_in_the_tree() -> None:
    """solutions/ mirrors levels/: no folder without an exercise, no file without a track."""
    ids = {exercise.id for exercise in EXERCISES}
    for path in (ROOT / "solutions").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert path.parent.relative_to(ROOT / "solutions").as_posix() in ids, path
            assert (ROOT / "levels" / path.relative_to(ROOT / "solutions")).is_file(), path
