"""A wrong output is told by its pattern."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from grader.arena import POISON, Slot
from grader.check import Miss, is_right
from grader.decode import decode
from grader.launched import Launched, of_reply, of_triton
from grader.places import ordinal

Change = Callable[[Tensor], None]


def decoded(
    shape: tuple[int, ...],
    change: Change,
    truth: Tensor | None = None,
    previous: Tensor | None = None,
    launched: Launched | None = None,
    inputs: dict[str, Tensor] | None = None,
) -> str:
    """What is said of a right float32 output after `change`."""
    if truth is None:
        truth = torch.randn(shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64).float().double()
    got = truth.float()
    change(got)
    bound = truth.abs().nan_to_num(posinf=0.0, neginf=0.0) * 1e-6
    unwritten = (got.reshape(-1).view(torch.uint8).view(got.numel(), -1) == POISON).all(1).view(got.shape)
    wrong = ~is_right(got.double(), truth, bound, torch.float32)
    miss = Miss(Slot("out", True, shape, "float32"), got, truth, bound, wrong, unwritten)
    text = decode(miss, previous, launched, inputs)
    return "\n".join((text.summary, *text.lines))


def poison(view: Tensor) -> None:
    view.view(torch.int32).fill_(-1)


def swap(got: Tensor) -> None:
    got.copy_(got.t().reshape(got.shape).clone())


def shift(got: Tensor) -> None:
    got[:-1] = got[1:].clone()


CASES: list[tuple[tuple[int, ...], Change, str]] = [
    ((1025,), lambda got: poison(got[1024:]), "never written: only the last element"),
    ((300,), lambda got: poison(got[256:]), "never written: everything from index 256 on"),
    ((300,), poison, "nothing was written"),
    ((300,), lambda got: poison(got[77:]), "never written: everything from index 77 on"),
    ((300,), lambda got: poison(got[1::3]), "never written: every 3rd element, from 1"),
    ((300,), lambda got: got[10:].zero_(), "zero, everything from index 10 on"),
    ((300,), lambda got: got[299:].add_(3), "hint: they were stored, but wrong"),
    ((300,), lambda got: got.mul_(2), "twice the right value"),
    ((300,), lambda got: got.neg_(), "minus the right value"),
    ((300,), lambda got: got.mul_(0.125), "0.125 times the right value"),
    ((300,), shift, "shifted: out[i] holds the value of out[i+1]"),
    ((20, 33), lambda got: poison(got[:, 32:].T), "never written: column 32 of every row"),
    ((20, 33), lambda got: poison(got[:, 30:].T), "never written: columns 30 to 32 of every row"),
    ((20, 33), lambda got: poison(got[:, 1::2].T), "never written: columns 1, 3, 5 ... of every row"),
    ((20, 33), lambda got: poison(got[16:]), "never written: rows 16 to 19 of every column"),
    ((3, 4, 9), lambda got: poison(got[:, :, 8:]), "never written: index 8 of dimension 2, everywhere"),
    ((17, 17), swap, "transposed"),
    ((9, 20), swap, "transposed"),
    ((300,), lambda got: got.copy_(got.half()), "close, but not precise enough"),
    ((300,), lambda got: got[5:9].fill_(float("nan")), "NaN where a number should be"),
    ((300,), lambda got: got[5:9].fill_(float("inf")), "infinity where a number should be"),
]


@pytest.mark.parametrize(("shape", "change", "said"), CASES, ids=[case[2] for case in CASES])
def test_patterns(shape: tuple[int, ...], change: Change, said: str) -> None:
    assert said in decoded(shape, change)


def test_half_products_in_a_matmul_are_called_imprecise() -> None:
    """Sums near zero are off by much of their value, though by little beside the others."""
    a, b = (torch.randn(65, 65, generator=torch.Generator().manual_seed(seed)) for seed in (1, 2))
    truth = a.double() @ b.double()
    low = a.bfloat16().double() @ b.bfloat16().double()
    assert "close, but not precise enough" in decoded((65, 65), lambda got: got.copy_(low), truth)
    lost = a[:, 1:].double() @ b[1:].double()
    assert "not precise enough" not in decoded((65, 65), lambda got: got.copy_(lost), truth)


RAMP = 1 + 2e-6 * torch.arange(300, dtype=torch.float64)
"""Neighbours differ by twice the bound."""


@pytest.mark.parametrize("where", [[100, 200], [100, 101], list(range(10, 290, 20))])
def test_imprecise_elements_that_hit_on_their_neighbours_values_are_not_shifted(where: list[int]) -> None:
    said = decoded((300,), lambda got: got.index_copy_(0, torch.tensor(where), RAMP[1:][where].float()), RAMP)
    assert "close, but not precise enough" in said


@pytest.mark.parametrize("start", [0, 270])
def test_a_shift_is_seen_where_neighbours_hardly_differ(start: int) -> None:
    said = decoded((300,), lambda got: shift(got[start:]), RAMP)
    assert "shifted: out[i] holds the value of out[i+1]" in said


def test_a_single_number_may_lack_an_element() -> None:
    """Nothing tells a sum without one of its 1000 terms from one in half precision."""
    said = decoded((1,), lambda got: got.mul_(0.999), torch.tensor([1000.0], dtype=torch.float64))
    assert "close, but off by 0.001 of the value" in said and "is one element left out" in said


def test_slices_are_told_in_the_plural() -> None:
    assert "indices 1 to 2 of dimension 0" in decoded((4, 3, 5), lambda got: got[1:3].add_(3))
    assert "index 1 of dimension 0" in decoded((4, 3, 5), lambda got: got[1].add_(3))


def test_lost_nan() -> None:
    truth = torch.tensor([1.0, float("nan"), 2.0], dtype=torch.float64)
    assert "NaN in the input did not reach" in decoded((3,), lambda got: got.nan_to_num_(0.0), truth)


def test_previous_answer() -> None:
    previous = torch.randn(50, generator=torch.Generator().manual_seed(2), dtype=torch.float64).float().double()
    assert "the previous call's answer" in decoded((50,), lambda got: got.copy_(previous), previous=previous)


def test_first_wrong_index_values_and_size_of_the_error() -> None:
    text = decoded((2, 3), lambda got: got[1, 2].add_(1e-4))
    assert "first at out[1, 2]: got -0.1660302, expected -0.1661302" in text and "times the bound" in text
    assert text.startswith("1 of 6 elements of `out` wrong")


def test_bounding_box() -> None:
    def spoil(got: Tensor) -> None:
        got[2:4, 5:7] += torch.tensor([[1.0, -3.0], [2.0, 0.5]])

    assert "wrong between out[2, 5] and out[3, 6]" in decoded((8, 9), spoil)


def test_an_unexplained_miss_is_still_described() -> None:
    def scatter(got: Tensor) -> None:
        got[[3, 17, 20, 90]] = torch.tensor([5.0, -3.0, 9.0, 1e9])

    text = decoded((100,), scatter)
    assert text.startswith("4 of 100 elements") and "pattern" not in text


NOBODY = "nobody wrote out[{}]: look at the "


@pytest.mark.parametrize(
    ("size", "first", "launched", "said"),
    [
        (
            1025,
            1024,
            Launched(4, 256),
            ["last partial tile of 256", "4 blocks of 256 threads", "cdiv(n, 256) blocks"],
        ),
        (1025, 256, Launched(1, 256), ["everything from index 256 on", "1 block of 256", "cdiv(n, 256) blocks"]),
        (2500, 2048, Launched(1, 256), ["last partial tile of 2048", "8 for each thread", "cdiv(n, 8 * 256)"]),
        (1025, 1000, Launched(2, 256), ["everything from index 1000 on", "512 threads for 1025 elements"]),
        (33, 32, Launched(1, 256), ["only the last element", "is enough for 33", NOBODY.format(32), "(blockIdx?)"]),
        (257, 256, Launched(2, 256, "BLOCK"), ["2 programs of BLOCK = 256 elements", NOBODY.format(256), "the mask"]),
        (
            257,
            256,
            Launched(1, 256, "B"),
            ["last partial tile of 256", "1 program of B = 256", "cdiv(n, B) programs"],
        ),
    ],
)
def test_the_launch_explains_a_missing_tail(size: int, first: int, launched: Launched, said: list[str]) -> None:
    text = decoded((size,), lambda got: poison(got[first:]), launched=launched)
    assert all(part in text for part in said), text


def test_a_matrix_asks_for_its_own_index() -> None:
    text = decoded((5, 33), lambda got: poison(got.view(-1)[53:]), launched=Launched(3, 256))
    assert "nobody wrote out[1, 20]: look at the index (row * columns + column?)" in text


@pytest.mark.parametrize(("grid", "said"), [((1, 2, 1), True), ((2, 1, 1), False), ((2, 2, 1), False)])
def test_a_swapped_grid_is_asked_about(grid: tuple[int, ...], said: bool) -> None:
    launched = Launched(grid[0] * grid[1], 1024, grid=grid)
    text = decoded((5, 33), lambda got: poison(got[:, 32:]), launched=launched)
    assert ("the grid is 1 x 2 blocks: are the two swapped? x counts along the 33 columns" in text) is said, text


def test_inputs_of_a_wrong_element_are_shown() -> None:
    inputs = {"a": torch.arange(6.0).view(2, 3), "bias": torch.tensor([0.5, 1.5, 2.5])}
    text = decoded((2, 3), lambda got: got[1, 1].fill_(100.0), inputs=inputs)
    assert "made of a[1, 1] = 4, bias[1] = 1.5" in text and "hint: work out[1, 1] out by hand" in text
    assert "made of" not in decoded((2, 3), lambda got: poison(got[1:]), inputs=inputs)


def test_an_error_far_beyond_the_bound_is_not_counted_in_bounds() -> None:
    assert "times the bound" not in decoded((2, 3), lambda got: got[1, 2].fill_(1e9))


def test_ordinals() -> None:
    assert [ordinal(number) for number in (1, 2, 3, 4, 11, 13, 33, 112)] == (
        ["1st", "2nd", "3rd", "4th", "11th", "13th", "33rd", "112th"]
    )


def test_a_launch_is_told_only_where_it_is_known() -> None:
    row = {"blocks": 4, "size": 256, "name": ""}
    assert of_reply({"shapes": [row]}) == Launched(4, 256)
    for rows in ([], [row, row], [{}], [{**row, "blocks": 0}], [{**row, "size": "many"}]):
        assert of_reply({"shapes": rows}) is None
    assert of_triton((2, 3), {"n": 5, "BLOCK_SIZE": 64}) == Launched(6, 64, "BLOCK_SIZE")
    for grid, values in (((2,), {"n": 5}), ((2,), {"BLOCK_M": 4, "BLOCK_N": 8}), (2, {"BLOCK": 64})):
        assert of_triton(grid, values) is None
