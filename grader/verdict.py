"""From what was observed to the mark."""

from __future__ import annotations

from collections.abc import Mapping

from grader.exercise import Goals, Submission
from grader.outcome import Outcome, Status, Timing, Verdict

LOOK_FIRST: Mapping[str, str] = {
    "memory": "do neighbouring threads use neighbouring addresses, 16 bytes at a time, and is each value read once?",
    "compute": "are values reused from registers, and are Tensor Cores used where the type has them?",
    "launch": "could fewer kernels do it?",
}
"""What to ask first of a slow kernel, by what bounds it."""

CEILINGS: Mapping[str, str] = {
    "memory": "this card's bandwidth",
    "compute": "this card's rate",
    "launch": "an empty kernel's speed",
}


def judge_outcome(submission: Submission, outcome: Outcome) -> Verdict:
    """The verdict on `outcome`: its grade, and one sentence that says why."""
    grade, reason = _grade(submission, outcome)
    return Verdict(submission.exercise.id, submission.track, grade, reason, outcome)


def _grade(submission: Submission, outcome: Outcome) -> tuple[str, str]:
    if outcome.status is Status.CORRECT:
        goals = submission.exercise.goals.get(submission.track)
        if outcome.timing is None or goals is None:
            return "correct (not timed)", outcome.reason
        return _speed(outcome.timing, goals)
    if outcome.status in (Status.UNVERIFIED, Status.UNSUPPORTED):
        return "inconclusive", outcome.reason
    if outcome.wrote_nothing and submission.has_todo:
        name = submission.files[0].name
        return "not started", f"the TODO is still there and nothing is written: open {submission.folder.name}/{name}"
    if len(submission.missing) == len(submission.files):
        return "not started", outcome.reason
    return "failed", outcome.reason


def _speed(timing: Timing, goals: Goals) -> tuple[str, str]:
    """The grade that a measured speed earns, and the figures in one sentence."""
    figures = f"{timing.ratio:.2f}x PyTorch ({timing.low:.2f}-{timing.high:.2f})"
    if timing.unclear:
        return "inconclusive", f"{figures}, but {timing.unclear}"
    grade = goals.grade(timing.lowest)
    sentence = f"{figures}; {timing.rate}, {timing.share:.0%} of {CEILINGS[timing.bound]}"
    if grade == "slow":
        sentence += f"; a pass needs {goals.passing:.2f}x. {timing.bound}-bound: {LOOK_FIRST[timing.bound]}"
    return grade, sentence
