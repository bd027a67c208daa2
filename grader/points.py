"""What a run is worth in points: whole numbers for each exercise, for being right and for being fast apart.

An exercise is worth what its toml says, once: of the tracks that were graded the best one counts. Right earns all of
`correct`; of `fast` a pass earns a third, good two thirds and great all, rounded. What could not be found out here
(speed without a GPU or on a disturbed one, an exercise that this GPU cannot run) counts neither for nor against: it
is not in the maximum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.exercise import Exercise
from grader.outcome import Status, Verdict

THIRDS: Mapping[str, int] = {"slow": 0, "pass": 1, "good": 2, "great": 3}
"""How many thirds of the points for speed each grade earns."""


@dataclass(frozen=True)
class Part:
    """One half of an exercise's points: `score` of `max`, and why in a sentence. A `max` of 0 was not counted."""

    score: int
    max: int
    why: str


@dataclass(frozen=True)
class Mark:
    """The points of one exercise."""

    exercise: str
    correct: Part
    fast: Part


def marks(exercises: Sequence[Exercise], verdicts: Sequence[Verdict], device: Mapping[str, Any]) -> list[Mark]:
    """The points of each of `exercises`, by the verdicts on it that there are, on that device."""
    found = []
    for exercise in {one.id: one for one in exercises}.values():
        mine = [verdict for verdict in verdicts if verdict.exercise == exercise.id]
        mine.sort(key=lambda verdict: verdict.outcome.status is not Status.CORRECT)  # whose reason says more
        right = _best([_correct(exercise, verdict) for verdict in mine], exercise.points["correct"])
        fast = _best([_fast(exercise, verdict, device) for verdict in mine], exercise.points["fast"])
        found.append(Mark(exercise.id, right, fast))
    return found


def _best(parts: Sequence[Part], most: int) -> Part:
    """The best of the tracks' parts; one that was counted is better than one that was not."""
    return max(parts, key=lambda part: (part.score, part.max), default=Part(0, most, "not graded"))


def _correct(exercise: Exercise, verdict: Verdict) -> Part:
    most, status = exercise.points["correct"], verdict.outcome.status
    counted = 0 if status is Status.UNSUPPORTED else most
    reason = verdict.outcome.reason if status is Status.CORRECT else verdict.reason
    grade = "right" if status is Status.CORRECT else verdict.grade
    return Part(most if status is Status.CORRECT else 0, counted, f"{verdict.track}: {grade}: {reason}")


def _fast(exercise: Exercise, verdict: Verdict, device: Mapping[str, Any]) -> Part:
    most, timing = exercise.points["fast"], verdict.outcome.timing
    if verdict.track not in exercise.goals:
        return Part(0, 0, f"{verdict.track}: not timed: it has no goals")
    if device.get("backend") != "gpu":
        return Part(0, 0, f"{verdict.track}: not timed: there is no GPU here")
    if verdict.outcome.status is Status.UNSUPPORTED or (timing and timing.unclear):
        return Part(0, 0, f"{verdict.track}: not timed: {verdict.reason}")
    if timing is None:
        return Part(0, most, f"{verdict.track}: not timed: only what is right is")
    score = (2 * most * THIRDS[verdict.grade] + 3) // 6
    return Part(score, most, f"{verdict.track}: {verdict.grade}: {verdict.reason}")
