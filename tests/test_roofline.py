"""What the ceilings allow, which of them decides, and where a measured time stands."""

from __future__ import annotations

import pytest

from grader.roofline import Ceilings, Work, best_seconds, place

CARD = Ceilings(
    copy=4e12,
    read=4.4e12,
    matmul={"float32": 50e12, "bfloat16": 800e12},
    launch=4e-6,
    graph_launch=1e-6,
    synchronize=12e-6,
    atomic=1e-9,
)


@pytest.mark.parametrize(
    ("work", "bound", "seconds"),
    [
        (Work(8 * 10**9, 4 * 10**9, 1e9, "float32"), "memory", 12e9 / 4e12),
        (Work(10**10, 4, 1e9, "float32"), "memory", 1e10 / 4.4e12),  # a sum only reads
        (Work(2 * 10**8, 10**8, 2.0 * 8192**3, "float32"), "compute", 2 * 8192**3 / 50e12),
        (Work(2 * 10**8, 10**8, 2.0 * 8192**3, "bfloat16"), "compute", 2 * 8192**3 / 800e12),
        (Work(400, 400, 100, "float32"), "launch", 1e-6),
        (Work(10**9, 10**9, 1e30, "int4"), "memory", 2e9 / 4e12),  # no rate is known for the type
    ],
)
def test_the_slowest_ceiling_decides(work: Work, bound: str, seconds: float) -> None:
    assert best_seconds(work, CARD) == (pytest.approx(seconds), bound)


def test_a_place_has_its_share_and_its_rate() -> None:
    half = place(Work(8 * 10**9, 4 * 10**9, 1e9, "float32"), CARD, 2 * 12e9 / 4e12)
    assert (half.bound, half.share, half.rate) == ("memory", pytest.approx(0.5), "2000 GB/s")
    product = place(Work(1, 1, 5e12, "float32"), CARD, 1.0)
    assert (product.bound, product.rate) == ("compute", "5.0 TFLOP/s")
