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
    todos = submission.todos if outcome.wrote_nothing else {}
    if todos:
        # every stub leaves the kernel and its launch to write: with fewer TODOs than that, some of it is done
        started = len(todos) < len(submission.files) or sum(map(len, todos.values())) == 1
        nothing = "nothing was stored"
        if submission.track == "answer":
            started, nothing = False, outcome.reason
        return "failed" if started else "not started", f"{nothing}; {_remaining(submission)}"
    if submission.is_absent:
        return "not started", outcome.reason
    return "failed", outcome.reason


def _remaining(submission: Submission) -> str:
    """ "a TODO remains in levels/level1/01_vector_add/cuda_launch.py:11"; several in one file: ":17, :23"."""
    places = [f"{submission.shown(path)}:{', :'.join(map(str, lines))}" for path, lines in submission.todos.items()]
    several = len(places) > 1 or "," in places[0]
    return f"{'TODOs remain' if several else 'a TODO remains'} in {', '.join(places)}"


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
