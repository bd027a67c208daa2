"""Is A faster than B, and how sure is that? Blocks of samples in the order A B B A, until the answer is clear.

Pure arithmetic on seconds: whoever really runs something is behind `Side`, so that the rules can be tested with a
simulated clock. The figure is a ratio of speeds, B's time over A's: 2.0 means that A takes half the time.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol


@dataclass(frozen=True)
class Block:
    """Samples taken in one go: seconds each, the GPU's clock meanwhile (MHz; 0 where unknown), and why it was
    slowed down, if it was.
    """

    seconds: tuple[float, ...]
    clock: float = 0.0
    throttled: str = ""

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


class Side(Protocol):
    """One contestant."""

    def block(self) -> Block:
        """Run one block of samples, after whatever preparation it needs."""


@dataclass(frozen=True)
class Rules:
    """When to stop. `resolution` is what two identical kernels may differ by, from where their memory lies; it
    widens every interval. Seconds are of the wall clock.
    """

    min_samples: int = 40
    min_seconds: float = 0.3
    max_seconds: float = 5.0
    precision: float = 0.01
    drift: float = 0.05
    resolution: float = 0.005
    confidence: float = 0.95


@dataclass(frozen=True)
class Comparison:
    """The outcome: speed of A over speed of B, its confidence interval, and the blocks behind it.

    `unclear` says why no grade can be given; it is empty where one can.
    """

    ratio: float
    low: float
    high: float
    ours: tuple[Block, ...] = field(repr=False)
    theirs: tuple[Block, ...] = field(repr=False)
    dropped: int = 0
    unclear: str = ""

    @property
    def seconds(self) -> float:
        """A's median time."""
        return statistics.median(block.median for block in self.ours)

    @property
    def baseline_seconds(self) -> float:
        """B's median time."""
        return statistics.median(block.median for block in self.theirs)


def compare(
    ours: Side,
    theirs: Side,
    thresholds: Sequence[float],
    rules: Rules = Rules(),
    now: Callable[[], float] = time.monotonic,
) -> Comparison:
    """Race `ours` against `theirs` until the ratio is known to the rules' precision or clear of every threshold."""
    pairs: list[tuple[Block, Block]] = []
    ours.block(), theirs.block()  # both warm up alike
    started = now()
    while True:
        first, second = (ours.block(), theirs.block()), (theirs.block(), ours.block())
        pairs += [first, (second[1], second[0])]
        elapsed = now() - started
        kept = steady(pairs, rules)
        result = _comparison(kept, len(pairs) - len(kept), rules)
        samples = sum(len(pair[0].seconds) for pair in kept)
        enough = samples >= rules.min_samples and elapsed >= rules.min_seconds
        if result and enough and _settled(result, thresholds, rules):
            return result
        if elapsed >= rules.max_seconds:
            return _unsettled(pairs, result, elapsed, enough)


def steady(pairs: Sequence[tuple[Block, Block]], rules: Rules) -> list[tuple[Block, Block]]:
    """The pairs in which the GPU was neither slowed down nor at an unusual clock."""
    clocks = [block.clock for pair in pairs for block in pair if block.clock]
    usual = statistics.median(clocks) if clocks else 0.0
    return [
        pair
        for pair in pairs
        if not any(block.throttled or abs(block.clock - usual) > rules.drift * usual for block in pair)
    ]


def interval(values: Sequence[float], confidence: float) -> tuple[float, float]:
    """A confidence interval for the median that holds whatever the distribution is: two order statistics.

    The number of values below the median is binomial(n, 1/2) (the sign test). With fewer than six values no such
    interval reaches 95 %; then it is all of (0, infinity).
    """
    ordered, count = sorted(values), len(values)
    below, tail = 0, 0.0
    while (tail := tail + math.comb(count, below) / 2**count) <= (1 - confidence) / 2:
        below += 1
    return (ordered[below - 1], ordered[count - below]) if below else (0.0, math.inf)


def _comparison(kept: Sequence[tuple[Block, Block]], dropped: int, rules: Rules) -> Comparison | None:
    if not kept:
        return None
    ratios = [theirs.median / ours.median for ours, theirs in kept]
    low, high = interval(ratios, rules.confidence)
    return Comparison(
        statistics.median(ratios),
        low * (1 - rules.resolution),
        high * (1 + rules.resolution),
        tuple(pair[0] for pair in kept),
        tuple(pair[1] for pair in kept),
        dropped,
    )


def _settled(result: Comparison, thresholds: Sequence[float], rules: Rules) -> bool:
    narrow = result.high - result.low <= 2 * (rules.precision + rules.resolution) * result.ratio
    return narrow or not any(result.low <= threshold <= result.high for threshold in thresholds)


def _unsettled(
    pairs: Sequence[tuple[Block, Block]], result: Comparison | None, elapsed: float, enough: bool
) -> Comparison:
    """What is left when time is up."""
    reasons = [block.throttled for pair in pairs for block in pair if block.throttled]
    if result is None or not enough:
        why = f"the GPU was slowed down ({reasons[0]})" if reasons else "the GPU's clock did not hold still"
        if result is None:
            ours, theirs = zip(*pairs, strict=True)
            nothing = Comparison(0.0, 0.0, math.inf, ours, theirs, dropped=len(pairs))
            return replace(nothing, unclear=f"no steady measurement in {elapsed:.0f} s: {why}")
        return replace(result, unclear=f"too few steady samples in {elapsed:.0f} s: {why}")
    spread = 50 * (result.high - result.low) / result.ratio
    return replace(result, unclear=f"the times scatter: +-{spread:.0f} % after {elapsed:.0f} s")
