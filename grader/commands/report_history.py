"""The report's history of one track: its speed from attempt to attempt, and below that how each came out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from grader.attempt import Attempt
from grader.exercise import Goals

WIDTH, PLOT, STRIP = 360.0, 96.0, 18.0
LEFT, RIGHT = 44.0, 352.0
DOTS = 60
"""Attempts up to which each measured one gets a dot of its own; of more, only the line is drawn."""


@dataclass(frozen=True)
class Goal:
    """A line across the plot: the share of the baseline's speed that a grade needs."""

    name: str
    ratio: float
    y: float


@dataclass(frozen=True)
class Tick:
    """How one attempt came out: "failed", "passed", "slow" or "unclear", at `x`."""

    x: float
    kind: str


@dataclass(frozen=True)
class History:
    """In the units of the picture; without a measured attempt there is only the strip of ticks."""

    width: float
    height: float
    line: str
    dots: Sequence[tuple[float, float, str]]
    goals: Sequence[Goal]
    ticks: Sequence[Tick]
    tick_y: float
    words: str


def history(attempts: Sequence[Attempt], goals: Goals | None) -> History:
    """The picture of at least one attempt, oldest first."""
    measured = [(n, one) for n, one in enumerate(attempts) if one.ratio is not None]
    step = (RIGHT - LEFT) / max(1, len(attempts) - 1)
    xs = [LEFT + n * step if len(attempts) > 1 else (LEFT + RIGHT) / 2 for n in range(len(attempts))]
    plot = PLOT if measured else 0.0
    wanted = {"pass": goals.passing, "good": goals.good, "great": goals.great} if goals and measured else {}
    top = 1.1 * max([*(one.ratio or 0.0 for _, one in measured), *wanted.values()], default=1.0) or 1.0

    def y(ratio: float) -> float:
        return plot - (plot - 12) * ratio / top

    dots = [(xs[n], y(one.ratio or 0.0), f"{one.ratio:.2f}x, {one.grade}") for n, one in measured]
    return History(
        width=WIDTH,
        height=plot + STRIP,
        line=" ".join(f"{x:.1f},{height:.1f}" for x, height, _ in dots),
        dots=dots if len(dots) <= DOTS else [],
        goals=_apart([Goal(name, ratio, y(ratio)) for name, ratio in wanted.items()]),
        ticks=[Tick(x, _kind(one)) for x, one in zip(xs, attempts, strict=True)],
        tick_y=plot + STRIP / 2,
        words=_words(attempts),
    )


def _kind(attempt: Attempt) -> str:
    if attempt.passed:
        return "passed"
    return attempt.grade if attempt.grade in ("failed", "slow") else "unclear"


def _apart(goals: list[Goal]) -> list[Goal]:
    """The goals whose names do not stand on one another; the highest always."""
    kept: list[Goal] = []
    for goal in sorted(goals, key=lambda one: one.y):
        if not kept or goal.y - kept[-1].y >= 11:
            kept.append(goal)
    return kept


def _words(attempts: Sequence[Attempt]) -> str:
    """ "12 attempts: 9 failed, 3 great; from 0.41x to 0.98x PyTorch's speed": the picture for who cannot see it."""
    counts = Counter(one.grade for one in attempts)
    grades = ", ".join(f"{n} {name}" for name, n in counts.items())
    text = f"{len(attempts)} attempt{'s' * (len(attempts) > 1)}: {grades}"
    ratios = [one.ratio for one in attempts if one.ratio is not None]
    if not ratios:
        return f"{text}; not timed"
    if len(ratios) == 1:
        return f"{text}; {ratios[0]:.2f}x PyTorch's speed"
    return f"{text}; first {ratios[0]:.2f}x, best {max(ratios):.2f}x, last {ratios[-1]:.2f}x PyTorch's speed"
