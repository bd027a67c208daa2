"""Four costs from counts: which is the largest, and how counts grow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.diagnosis import BOUNDS, H200, Counts, costs, extrapolate
from grader.kernelprofile import KernelProfile
from grader.vgpu.profile import LineProfile

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


def test_counts_are_added_over_all_kernels() -> None:
    shape = (1, 1, 1), (32, 1, 1), 0
    line = LineProfile("k.cu", 1, 9, 288, 0, 1, 4, 4, 128, 0, 0, 0, ())
    first = KernelProfile("first", 2, *shape, {"add": 5, "mov": 3, "cvta": 1}, (line,), chain=7)
    second = KernelProfile("second", 1, *shape, {"ld": 2}, (), chain=1)
    counts = Counts.of([first, second], waits=1)
    assert counts == Counts(traffic=128, instructions=7, launches=3, waits=1, chain=8)
    assert "issues 7 instructions (by warp; cvta and mov left out), launches 3 times, waits 1 times" in str(counts)


def test_counts_grow_from_two_sizes_by_the_same_steps() -> None:
    few, many = Counts(100, 10, 1, 0, 5), Counts(180, 18, 1, 2, 9)
    assert extrapolate(few, many, (16, 32), 64) == Counts(340, 34, 1, 6, 17)
    assert extrapolate(few, many, (16, 32), 32) == many
