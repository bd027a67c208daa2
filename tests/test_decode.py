"""A wrong output is told by its pattern."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from grader.arena import POISON, Slot
from grader.check import Miss, is_right
from grader.decode import decode

Change = Callable[[Tensor], None]


def decoded(
    shape: tuple[int, ...], change: Change, truth: Tensor | None = None, previous: Tensor | None = None
) -> str:
    """What is said of a right float32 output after `change`."""
    if truth is None:
        truth = torch.randn(shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64).float().double()
    got = truth.float()
    change(got)
    bound = truth.abs().nan_to_num(posinf=0.0, neginf=0.0) * 1e-6
    unwritten = (got.reshape(-1).view(torch.uint8).view(got.numel(), -1) == POISON).all(1).view(got.shape)
    wrong = ~is_right(got.double(), truth, bound, torch.float32)
    text = decode(Miss(Slot("out", True, shape, "float32"), got, truth, bound, wrong, unwritten), previous)
    return "\n".join((text.summary, *text.lines))


def poison(view: Tensor) -> None:
    view.view(torch.int32).fill_(-1)


def swap(got: Tensor) -> None:
    got.copy_(got.t().reshape(got.shape).clone())


def shift(got: Tensor) -> None:
    got[:-1] = got[1:].clone()


CASES: list[tuple[tuple[int, ...], Change, str]] = [
    ((1025,), lambda got: poison(got[1024:]), "never written: only the last partial tile of 1024"),
    ((300,), lambda got: poison(got[256:]), "never written: only the last partial tile of 256"),
    ((300,), poison, "nothing was written"),
    ((300,), lambda got: poison(got[77:]), "never written: everything from index 77 on"),
    ((300,), lambda got: poison(got[1::3]), "never written: every 3th element, from 1"),
    ((300,), lambda got: got[10:].zero_(), "zero, everything from index 10 on"),
    ((300,), lambda got: got.mul_(2), "twice the right value"),
    ((300,), lambda got: got.neg_(), "minus the right value"),
    ((300,), lambda got: got.mul_(0.125), "0.125 times the right value"),
    ((300,), shift, "index +1"),
    ((17, 17), swap, "transposed"),
    ((9, 20), swap, "transposed"),
    ((300,), lambda got: got.copy_(got.half()), "close, but not precise enough"),
    ((300,), lambda got: got[5:9].fill_(float("nan")), "NaN where a number should be"),
    ((300,), lambda got: got[5:9].fill_(float("inf")), "infinity where a number should be"),
]


@pytest.mark.parametrize(("shape", "change", "said"), CASES, ids=[case[2] for case in CASES])
def test_patterns(shape: tuple[int, ...], change: Change, said: str) -> None:
    assert said in decoded(shape, change)


def test_lost_nan() -> None:
    truth = torch.tensor([1.0, float("nan"), 2.0], dtype=torch.float64)
    assert "NaN in the input did not reach" in decoded((3,), lambda got: got.nan_to_num_(0.0), truth)


def test_previous_answer() -> None:
    previous = torch.randn(50, generator=torch.Generator().manual_seed(2), dtype=torch.float64).float().double()
    assert "the previous call's answer" in decoded((50,), lambda got: got.copy_(previous), previous=previous)


def test_first_wrong_index_values_and_size_of_the_error() -> None:
    text = decoded((2, 3), lambda got: got[1, 2].fill_(100.0))
    assert "first at out[1, 2]: got 100, expected" in text and "times the bound" in text
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
