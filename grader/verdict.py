"""From what was observed to the mark."""

from __future__ import annotations

from grader.exercise import Submission
from grader.outcome import Outcome, Status, Verdict


def judge_outcome(submission: Submission, outcome: Outcome) -> Verdict:
    """The verdict on `outcome`: its grade, and one sentence that says why."""
    grade, reason = _grade(submission, outcome)
    return Verdict(submission.exercise.id, submission.track, grade, reason, outcome)


def _grade(submission: Submission, outcome: Outcome) -> tuple[str, str]:
    if outcome.status is Status.CORRECT:
        return "correct (not timed)", outcome.reason
    if outcome.status in (Status.UNVERIFIED, Status.UNSUPPORTED):
        return "inconclusive", outcome.reason
    if outcome.wrote_nothing and submission.has_todo:
        name = submission.files[0].name
        return "not started", f"the TODO is still there and nothing is written: open {submission.folder.name}/{name}"
    if len(submission.missing) == len(submission.files):
        return "not started", outcome.reason
    return "failed", outcome.reason
