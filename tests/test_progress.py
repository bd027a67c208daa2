"""From the journal to where an exercise stands."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest
from support import ROOT, edited_solution

from grader.diagnosis import H200
from grader.exercise import Exercise, Submission
from grader.journal import Journal
from grader.outcome import CaseResult, Outcome, Status, Timing, Verdict
from grader.progress import NOT_GRADED, NOT_STARTED, Progress, Recorder, fingerprint, own_tree
from grader.roofline import Work

DEVICE = {"backend": "vgpu", "name": "no GPU"}
CASES = (
    CaseResult({"n": 3}, "float32", "tiny", Status.CORRECT, 2, 0.25),
    CaseResult({"n": 3}, "float32", "tiny", Status.WRONG),
)


@pytest.fixture
def solved(exercise: Exercise, tmp_path: Path) -> Submission:
    return edited_solution(exercise, "triton", tmp_path / "mine", {})


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path)


def record(journal: Journal, submission: Submission, *grades: str, timing: Timing | None = None) -> None:
    recorder = Recorder(journal, [submission], DEVICE, 7)
    for grade in grades:
        outcome = Outcome(Status.CORRECT, "why", cases=CASES, timing=timing)
        recorder.record(Verdict(submission.exercise.id, submission.track, grade, "why", outcome))


def timed(ratio: float) -> Timing:
    figures = ratio, ratio - 0.1, ratio + 0.1, 2e-4, 1e-4, "memory", 0.9, "1 GB/s", False, ""
    raw = {"work": asdict(Work(8, 4, 3.0, "float32")), "ceilings": asdict(H200)}
    return Timing({"n": 3}, "float32", *figures, raw)


def test_an_attempt_has_every_figure(journal: Journal, solved: Submission) -> None:
    record(journal, solved, "good", timing=timed(0.5))
    (attempt,) = Progress(journal).attempts(solved)
    assert (attempt.grade, attempt.reason, attempt.backend, attempt.status) == ("good", "why", "vgpu", "CORRECT")
    assert (attempt.seconds, attempt.ratio, attempt.low, attempt.high, attempt.worst) == (2e-4, 0.5, 0.4, 0.6, 0.25)
    assert (attempt.dtype, attempt.bytes, attempt.flops) == ("float32", 12, 3)
    assert (attempt.bandwidth, attempt.peak) == (H200.copy, H200.matmul["float32"])
    assert attempt.seed == 7 and attempt.source == fingerprint(solved) and attempt.when.endswith("+00:00")


@pytest.mark.parametrize(
    ("grades", "state", "solved_"),
    [
        (["failed"], "failed", False),
        (["failed", "inconclusive"], "inconclusive", False),
        (["correct (not timed)", "failed"], "correct (not timed)", True),
        (["slow", "failed"], "slow", False),
        (["correct (not timed)", "slow"], "slow", False),
        (["slow", "pass", "slow", "great", "good"], "great", True),
    ],
)
def test_the_best_counts_once_it_was_right(
    journal: Journal, solved: Submission, grades: list[str], state: str, solved_: bool
) -> None:
    record(journal, solved, *grades)
    standing = Progress(journal).standing(solved)
    assert (standing.state, standing.solved) == (state, solved_)
    assert standing.last is not None and standing.last.grade == grades[-1]


def test_of_equal_grades_the_fastest_is_the_best(journal: Journal, solved: Submission) -> None:
    for ratio in (1.0, 1.2, 1.1):
        record(journal, solved, "great", timing=timed(ratio))
    best = Progress(journal).standing(solved).best
    assert best is not None and best.ratio == 1.2


def test_before_the_first_attempt_the_todos_speak(exercise: Exercise, journal: Journal, solved: Submission) -> None:
    stub = Submission(exercise, "triton", exercise.folder)
    record(journal, stub, "not started")
    progress = Progress(journal)
    assert progress.standing(stub).state == NOT_STARTED and not progress.attempts(stub)
    assert progress.standing(solved).state == NOT_GRADED


def test_a_changed_file_is_noticed(journal: Journal, solved: Submission) -> None:
    record(journal, solved, "failed")
    assert not Progress(journal).standing(solved).edited
    solved.files[0].write_text("# changed")
    assert Progress(journal).standing(solved).edited


def test_a_file_that_cannot_be_read_has_a_fingerprint_too(solved: Submission) -> None:
    solved.files[0].unlink()
    missing = fingerprint(solved)
    solved.files[0].mkdir()
    assert fingerprint(solved) == missing


def test_a_reset_begins_anew_and_forgets_nothing(journal: Journal, solved: Submission) -> None:
    record(journal, solved, "great")
    journal.append({"event": "reset", "exercise": solved.exercise.id, "track": "triton"})
    progress = Progress(journal)
    assert progress.standing(solved).best is None and not progress.standing(solved).solved
    assert progress.was_solved(solved) and len(progress.attempts(solved)) == 1


def test_what_is_odd_in_a_line_is_left_empty(journal: Journal, solved: Submission) -> None:
    name = solved.exercise.id
    journal.append({"event": "attempt", "exercise": name, "track": "triton", "grade": "pass", "ratio": "fast"})
    journal.append({"event": "attempt", "exercise": name, "track": "triton", "grade": "sublime"})
    journal.append({"event": "unheard of", "exercise": name})
    (attempt,) = Progress(journal).attempts(solved)
    assert attempt.ratio is None and attempt.reason == "" and attempt.passed


def test_a_journal_that_cannot_be_written_is_said_once(solved: Submission, journal: Journal) -> None:
    journal.folder.write_text("a file where the folder would be")
    record(journal, solved, "great", "failed")
    (note,) = journal.notes
    assert note.startswith("your progress was not recorded: cannot")


def test_only_the_learners_own_tree_counts(tmp_path: Path) -> None:
    (tmp_path / "mine").symlink_to(ROOT / "levels")
    assert own_tree(ROOT, ROOT / "levels") and own_tree(ROOT, tmp_path / "mine")
    assert not own_tree(ROOT, ROOT / "solutions")


def test_what_was_counted_and_found_is_kept_with_its_line(journal: Journal, solved: Submission) -> None:
    finding = {"kind": "divergence", "severity": "advice", "message": "at triton_kernel.py:2: x", "remedy": "y"}
    counts = {"case": {"n": 3}, "dtype": "float16", "bytes": 64, "flops": 16}
    outcome = Outcome(Status.CORRECT, "why", cases=CASES, findings=(finding,), counts=counts)
    recorder = Recorder(journal, [solved], DEVICE, 7)
    recorder.record(Verdict(solved.exercise.id, solved.track, "correct (not timed)", "why", outcome))
    reason = "triton_kernel.py:1: no"
    recorder.record(Verdict(solved.exercise.id, solved.track, "failed", reason, Outcome(Status.CRASH, reason)))
    first, second = Progress(journal).attempts(solved)
    lines = solved.files[0].read_text().splitlines()
    assert (first.dtype, first.bytes, first.flops, first.peak) == ("float16", 64, 16, None)
    assert first.findings == ({**finding, "place": "triton_kernel.py:2", "code": lines[1].strip()},)
    assert second.bytes is None and second.findings[0]["code"] == lines[0].strip()


@pytest.mark.parametrize("value", ["nonsense", [3, None, {"kind": 7}], None])
def test_a_journal_edited_by_hand_is_read_as_far_as_it_goes(
    value: object, journal: Journal, solved: Submission
) -> None:
    entry = {"event": "attempt", "exercise": solved.exercise.id, "track": "triton", "grade": "good"}
    journal.append({**entry, "ratio": float("inf"), "bytes": True, "findings": value})
    (attempt,) = Progress(journal).attempts(solved)
    assert attempt.ratio is None and attempt.bytes is None
    assert all(isinstance(text, str) for row in attempt.findings for text in row.values())
