"""The rules of timing, on a simulated clock: no GPU, no luck."""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from grader.timing import Block, Rules, compare, interval

GOALS = (0.6, 0.85, 0.95)
Clock = Callable[[], float]


@dataclass
class Simulated:
    """A side whose calls take `seconds`, scattered by `noise`, times whatever `disturb` says at that moment."""

    world: World
    seconds: float
    noise: float = 0.002
    disturb: Callable[[float], float] = lambda now: 1.0
    clock: Callable[[float], float] = lambda now: 1980.0
    throttled: Callable[[float], str] = lambda now: ""
    blocks: int = 0

    def block(self) -> Block:
        self.blocks += 1
        now = self.world.now
        times = [
            self.seconds * self.disturb(now) * (1 + self.noise * abs(self.world.random.gauss(0, 1))) for _ in range(8)
        ]
        self.world.now += sum(times) + 0.005
        return Block(tuple(times), self.clock(now), self.throttled(now))


@dataclass
class World:
    seed: int = 0
    now: float = 0.0
    random: random.Random = field(default_factory=random.Random)

    def __post_init__(self) -> None:
        self.random.seed(self.seed)

    def race(self, ours: float, theirs: float = 1e-3, *, both: dict[str, object] | None = None, **only_ours: object):
        sides = [Simulated(self, ours, **{**(both or {}), **only_ours}), Simulated(self, theirs, **(both or {}))]
        return compare(*sides, GOALS, Rules(), lambda: self.now)


def test_the_ratio_is_a_ratio_of_speeds() -> None:
    assert World().race(0.5e-3).ratio == pytest.approx(2.0, rel=0.01)
    assert World().race(2e-3).ratio == pytest.approx(0.5, rel=0.01)


def test_a_kernel_against_itself_gives_an_interval_that_holds_one() -> None:
    results = [World(seed).race(1e-3, both={"noise": 0.02}) for seed in range(200)]
    assert sum(result.low <= 1 <= result.high for result in results) >= 190
    assert statistics.pstdev(result.ratio for result in results) < 0.01


def test_without_the_allowance_for_memory_placement_as_well() -> None:
    rules = Rules(resolution=0.0)
    held = 0
    for seed in range(300):
        world = World(seed)
        sides = [Simulated(world, 1e-3, noise=0.02) for _ in range(2)]
        result = compare(*sides, GOALS, rules, lambda: world.now)  # noqa: B023
        held += result.low <= 1 <= result.high
    assert held >= 0.95 * 300


def test_it_stops_as_soon_as_it_is_sure_and_not_before() -> None:
    world = World()
    result = world.race(1e-3)
    samples = sum(len(block.seconds) for block in result.ours)
    assert samples >= Rules().min_samples
    assert Rules().min_seconds <= world.now < 1.0
    assert result.unclear == ""


def test_far_from_every_goal_a_wide_interval_is_enough() -> None:
    world = World()
    result = world.race(5e-3, both={"noise": 0.3})
    assert result.unclear == "" and result.high < GOALS[0]
    assert result.high - result.low > 0.02 * result.ratio


def test_near_a_goal_scattered_times_are_inconclusive_and_say_so() -> None:
    world = World()
    result = world.race(1e-3 / 0.95, both={"noise": 1.5})
    assert result.unclear.startswith("the times scatter: +-")
    assert Rules().max_seconds <= world.now < Rules().max_seconds + 1


def test_drift_hits_both_sides_alike() -> None:
    result = World().race(1e-3, both={"disturb": lambda now: 1 + 0.2 * now})
    assert result.low <= 1 <= result.high


def test_a_slow_first_block_is_warm_up() -> None:
    result = World().race(1e-3, disturb=lambda now: 100.0 if now == 0 else 1.0)
    assert result.ratio == pytest.approx(1.0, rel=0.01)


def test_outliers_move_nothing() -> None:
    ticks = itertools.count()
    result = World().race(1e-3, both={"disturb": lambda now: 50.0 if next(ticks) % 7 == 3 else 1.0})
    assert result.ratio == pytest.approx(1.0, rel=0.02)


def test_blocks_that_were_slowed_down_are_dropped() -> None:
    hot = range(2, 4)
    result = World().race(
        1e-3,
        throttled=lambda now: "too hot" if int(now * 20) in hot else "",
        disturb=lambda now: 2.0 if int(now * 20) in hot else 1.0,
    )
    assert result.dropped and result.ratio == pytest.approx(1.0, rel=0.01)
    assert not any(block.throttled for block in result.ours)


def test_blocks_at_another_clock_are_dropped() -> None:
    dip = range(4, 6)
    result = World().race(
        1e-3,
        clock=lambda now: 1200.0 if int(now * 20) in dip else 1980.0,
        disturb=lambda now: 1.65 if int(now * 20) in dip else 1.0,
    )
    assert result.dropped and result.ratio == pytest.approx(1.0, rel=0.01)


def test_a_card_that_is_always_slowed_down_gives_no_grade() -> None:
    result = World().race(1e-3, throttled=lambda now: "power brake")
    assert result.unclear == "no steady measurement in 5 s: the GPU was slowed down (power brake)"


def test_a_clock_that_never_holds_still_gives_no_grade() -> None:
    swing = itertools.cycle([1000.0, 1980.0, 1400.0])
    result = World().race(1e-3, both={"clock": lambda now: next(swing)})
    assert "the GPU's clock did not hold still" in result.unclear


def test_without_a_clock_nothing_is_dropped() -> None:
    result = World().race(1e-3, both={"clock": lambda now: 0.0})
    assert not result.dropped and not result.unclear


@pytest.mark.parametrize("count", [6, 8, 13, 40])
def test_the_interval_covers_the_median_of_a_skewed_distribution(count: int) -> None:
    rng = random.Random(count)
    held = 0
    for _ in range(1000):
        low, high = interval([rng.lognormvariate(0, 1) for _ in range(count)], 0.95)
        held += low <= 1 <= high
    assert held >= 940


def test_too_few_values_know_nothing() -> None:
    assert interval([1.0] * 5, 0.95) == (0.0, math.inf)


def test_the_interval_is_of_order_statistics() -> None:
    assert interval([3.0, 1.0, 2.0, 4.0, 8.0, 6.0, 7.0, 5.0], 0.95) == (1.0, 8.0)
    assert interval([float(value) for value in range(1, 10)], 0.95) == (2.0, 8.0)


def test_the_order_is_a_b_b_a() -> None:
    order: list[str] = []

    @dataclass
    class Side:
        name: str

        def block(self) -> Block:
            order.append(self.name)
            return Block((1e-3,) * 8)

    ticks = itertools.count()
    compare(Side("A"), Side("B"), GOALS, Rules(), lambda: next(ticks) * 0.2)
    assert "".join(order[:10]) == "ABABBAABBA"
