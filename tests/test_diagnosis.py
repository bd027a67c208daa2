"""Four costs from counts: which is the largest, and how counts grow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.diagnosis import BOUNDS, H200, Counts, costs, extrapolate

NOTHING = Counts(0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("count", "value", "bound", "seconds"),
    [
        ("traffic", 4260e9, "memory", 1.0),
        ("instructions", 51e12 / 64, "compute", 1.0),
        ("launches", 1000, "launch", 4.3e-3),
        ("waits", 1000, "synchronisation", 12e-3),
        ("chain", 1e6, "synchronisation", 1e6 * H200.atomic),
    ],
)
def test_each_count_costs_by_its_own_ceiling(count: str, value: float, bound: str, seconds: float) -> None:
    found = costs(replace(NOTHING, **{count: value}), H200)
    assert tuple(found) == BOUNDS
    assert {name: cost for name, cost in found.items() if cost} == {bound: pytest.approx(seconds)}


def test_counts_grow_from_two_sizes_by_the_same_steps() -> None:
    few, many = Counts(100, 10, 1, 0, 5), Counts(180, 18, 1, 2, 9)
    assert extrapolate(few, many, (16, 32), 64) == Counts(340, 34, 1, 6, 17)
    assert extrapolate(few, many, (16, 32), 32) == many
