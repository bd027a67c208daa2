"""Points: whole numbers, right and fast apart, the best track counts, and what is not known counts for nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.exercise import Exercise
from grader.outcome import CaseResult, Outcome, Status, Timing, Verdict
from grader.points import Part, marks

GPU, NONE = {"backend": "gpu"}, {"backend": "vgpu"}
RIGHT = (CaseResult({"n": 1}, "float32", "tiny", Status.CORRECT, 1, 0.1),)


def verdict(exercise: Exercise, grade: str, track: str = "cuda", unclear: str = "") -> Verdict:
    """One with that grade; a timed one has a time."""
    status = {
        "failed": Status.WRONG,
        "not started": Status.WRONG,
        "unsupported": Status.UNSUPPORTED,
        "unverified": Status.UNVERIFIED,
    }.get(grade, Status.CORRECT)
    timed = status is Status.CORRECT and grade != "correct (not timed)"
    timing = Timing({}, "float32", 1, 1, 1, 1, 1, "memory", 1, "", False, unclear, {}) if timed else None
    shown = "inconclusive" if grade in ("unsupported", "unverified") else grade
    return Verdict(exercise.id, track, shown, "why", Outcome(status, "calls", cases=RIGHT, timing=timing))


@pytest.mark.parametrize(
    ("grade", "device", "correct", "fast"),
    [
        ("great", GPU, (8, 8), (2, 2)),
        ("good", GPU, (8, 8), (1, 2)),
        ("pass", GPU, (8, 8), (1, 2)),
        ("slow", GPU, (8, 8), (0, 2)),
        ("failed", GPU, (0, 8), (0, 2)),
        ("not started", GPU, (0, 8), (0, 2)),
        ("correct (not timed)", NONE, (8, 8), (0, 0)),
        ("failed", NONE, (0, 8), (0, 0)),
        ("unsupported", GPU, (0, 0), (0, 0)),
        ("unverified", NONE, (0, 8), (0, 0)),
    ],
)
def test_one_track(
    grade: str, device: dict[str, str], correct: tuple[int, int], fast: tuple[int, int], exercise: Exercise
) -> None:
    worth = replace(exercise, points={"correct": 8, "fast": 2})
    (mark,) = marks([worth, worth], [verdict(worth, grade)], device)
    assert (mark.correct.score, mark.correct.max) == correct
    assert (mark.fast.score, mark.fast.max) == fast
    if not mark.fast.max:
        assert mark.fast.why.startswith("cuda: not timed: ")


@pytest.mark.parametrize(
    ("fast", "earned"), [(3, (0, 1, 2, 3)), (2, (0, 1, 1, 2)), (10, (0, 3, 7, 10)), (1, (0, 0, 1, 1))]
)
def test_speed_earns_by_thirds(fast: int, earned: tuple[int, ...], exercise: Exercise) -> None:
    worth = replace(exercise, points={"correct": 0, "fast": fast})
    got = [marks([worth], [verdict(worth, grade)], GPU)[0].fast.score for grade in ("slow", "pass", "good", "great")]
    assert tuple(got) == earned


def test_the_best_track_counts_for_each_part(exercise: Exercise) -> None:
    cuda, triton = verdict(exercise, "slow"), verdict(exercise, "failed", "triton")
    (mark,) = marks([exercise], [triton, cuda], GPU)
    assert mark.correct == Part(7, 7, "cuda: right: calls") and mark.fast == Part(0, 3, "cuda: slow: why")
    (mark,) = marks([exercise], [cuda, verdict(exercise, "great", "triton")], GPU)
    assert mark.fast == Part(3, 3, "triton: great: why")


def test_a_disturbed_time_counts_for_nobody(exercise: Exercise) -> None:
    (mark,) = marks([exercise], [verdict(exercise, "inconclusive", unclear="the card was throttled")], GPU)
    assert (mark.correct.score, mark.correct.max) == (7, 7)
    assert mark.fast == Part(0, 0, "cuda: not timed: why")


def test_a_track_without_goals_is_never_timed(exercise: Exercise) -> None:
    only = replace(exercise, goals={"triton": exercise.goals["triton"]})
    (mark,) = marks([only], [verdict(only, "correct (not timed)")], GPU)
    assert mark.fast == Part(0, 0, "cuda: not timed: it has no goals")


def test_what_was_not_reached_scores_nothing(exercise: Exercise) -> None:
    (mark,) = marks([exercise], [], GPU)
    assert (mark.correct, mark.fast) == (Part(0, 7, "not graded"), Part(0, 3, "not graded"))
