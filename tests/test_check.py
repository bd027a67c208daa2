"""Comparison, red zones and poison: NaN never passes, and nothing outside the outputs may change."""

from __future__ import annotations

import pytest
import torch

from grader.arena import POISON, ZONE, Layout, Slot
from grader.check import Expected, damage, is_right, misses, worst
from grader.dialogue import Stop
from grader.judge import Judge
from grader.plan import Step

INF, NAN = float("inf"), float("nan")
DTYPES = ["float32", "float16", "bfloat16", "int32"]


def scene(dtype: str = "float32", shape: tuple[int, ...] = (5,)) -> tuple[Layout, Expected, torch.Tensor]:
    """One input, one output that doubles it; the arena as a right kernel leaves it."""
    layout = Layout([Slot("x", False, shape, dtype), Slot("out", True, shape, dtype)])
    image = torch.empty(layout.size, dtype=torch.uint8)
    x = torch.arange(1, 6).reshape(shape).to(getattr(torch, dtype))
    layout.fill(image, {"x": x})
    truth = 2 * (x.double() if x.is_floating_point() else x)
    left = image.clone()
    layout.tensor(left, layout.slots[1]).copy_(truth)
    return layout, Expected(image, {"out": truth}, {"out": truth.abs() * 1e-6}), left


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_right_call_is_right(dtype: str) -> None:
    layout, expected, left = scene(dtype)
    assert misses(layout, expected, left) == []
    assert damage(layout, expected, left) is None
    assert worst(layout, expected, left) == 0


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_unwritten_element_shows(dtype: str) -> None:
    layout, expected, left = scene(dtype)
    start = layout.offsets["out"] + 2 * layout.slots[1].torch_dtype.itemsize
    left[start : start + layout.slots[1].torch_dtype.itemsize] = POISON
    (miss,) = misses(layout, expected, left)
    assert miss.unwritten.tolist() == miss.wrong.tolist() == [False, False, True, False, False]


@pytest.mark.parametrize(
    ("got", "truth", "right"),
    [
        (1.0, 1.0, True),
        (NAN, 1.0, False),
        (1.0, NAN, False),
        (NAN, NAN, True),
        (INF, INF, True),
        (-INF, INF, False),
        (INF, 1e300, True),  # beyond float32: infinity is what rounding gives
        (INF, 1.0, False),
        (1.0 + 1e-5, 1.0, False),
        (0.0, -0.0, True),
    ],
)
def test_elementwise(got: float, truth: float, right: bool) -> None:
    wide = torch.tensor([truth], dtype=torch.float64)
    bound = (wide.abs() * 1e-6).nan_to_num(posinf=0.0)
    assert is_right(torch.tensor([got]).double(), wide, bound, torch.float32).item() is right


@pytest.mark.parametrize(
    ("got", "truth", "right"),
    [(INF, INF, True), (0.0, INF, False), (-INF, INF, False), (1.0, 0.0, False), (0, 0, True)],
)
def test_an_infinite_bound_allows_nothing(got: float, truth: float, right: bool) -> None:
    tensors = (torch.tensor([value]).double() for value in (got, truth, INF))
    assert is_right(*tensors, torch.float32).item() is right


@pytest.mark.parametrize(("offset", "text"), [(0, "0 elements past its end"), (4 * 7, "7 elements past its end")])
def test_a_write_past_the_end_shows(offset: int, text: str) -> None:
    layout, expected, left = scene()
    left[layout.offsets["out"] + layout.slots[1].nbytes + offset] = 0
    assert text in str(damage(layout, expected, left))


def test_a_write_before_the_start_shows() -> None:
    layout, expected, left = scene()
    left[layout.offsets["x"] - 4] = 0
    assert "`x`, 1 element before its start" in str(damage(layout, expected, left))


def test_the_far_ends_of_the_zones_are_watched() -> None:
    for position in (0, -1):
        layout, expected, left = scene()
        left[position] = 0
        assert damage(layout, expected, left)


@pytest.mark.parametrize("dtype", DTYPES)
def test_zones_copied_over_zones_show(dtype: str) -> None:
    """A copy that runs past both ends moves one zone onto the other."""
    layout, expected, left = scene(dtype)
    x, out = layout.offsets["x"] + layout.slots[0].nbytes, layout.offsets["out"] + layout.slots[1].nbytes
    left[out : out + 64] = left[x : x + 64].clone()
    assert "`out`, 0 elements past its end" in str(damage(layout, expected, left))


def test_a_changed_input_shows() -> None:
    layout, expected, left = scene()
    layout.tensor(left, layout.slots[0])[3] = 0
    assert "changed its input `x`, first at element 3" in str(damage(layout, expected, left))


def test_worst_is_in_units_of_the_bound() -> None:
    layout, expected, left = scene()
    layout.tensor(left, layout.slots[1])[0] *= 1 + 0.5e-6
    assert worst(layout, expected, left) == pytest.approx(0.5, abs=0.1)


def test_layout_is_aligned_and_survives_json() -> None:
    layout, _, left = scene(shape=(5, 1))
    assert all(offset % 256 == 0 for offset in layout.offsets.values())
    again = Layout.from_json(layout.to_json())
    assert again.slots == layout.slots and again.size == layout.size
    assert left.numel() == layout.size > 4 * ZONE


@pytest.mark.parametrize(("kind", "told"), [("race", True), ("infinite loop", False), ("trap", False)])
def test_right_numbers_are_told_of_unless_the_kernel_was_stopped(kind: str, told: bool) -> None:
    layout, expected, left = scene()
    finding = {"kind": kind, "severity": "error", "message": "here", "remedy": "so"}
    judge = Judge(None, None, None, 0, 1.0)  # type: ignore[arg-type]
    with pytest.raises(Stop) as stopped:
        judge._check_findings(Step("tiny", {}, "float32", ()), "", layout, expected, left, {"findings": [finding]})
    assert ("the numbers alone would have passed" in stopped.value.detail) is told
