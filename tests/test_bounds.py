"""Each family passes right arithmetic with room to spare and rejects the wrong arithmetic that its line names."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.nn.functional import gelu, silu

from grader.bounds import FAMILIES
from grader.check import is_right

HALVES = [torch.float16, torch.bfloat16]
Function = Callable[..., Tensor]


def ratio(family: str, function: Function, candidate: Function, dtype: torch.dtype, seed: int = 0) -> float:
    """The candidate's largest error in units of the family's bound, on ordinary and on wide data."""
    generator = torch.Generator().manual_seed(seed)
    largest = 0.0
    for scale in (1.0, 8.0):
        inputs = [
            (scale * torch.randn(20_000, generator=generator)).to(dtype) for _ in range(function.__code__.co_argcount)
        ]
        wide = [tensor.double() for tensor in inputs]
        truth = function(*wide)
        bound = FAMILIES[family](truth, wide, str(dtype).removeprefix("torch."), lambda given: function(*given))
        error = (candidate(*inputs).double() - truth).abs()
        largest = max(largest, float((error / bound.clamp(min=1e-300)).max()))
    return largest


def add(a: Tensor, b: Tensor) -> Tensor:
    return a + b


def mad(a: Tensor, b: Tensor, c: Tensor) -> Tensor:
    return a * b + c


def erf_gelu(x: Tensor) -> Tensor:
    return 0.5 * x * (1 + torch.erf(x * 0.5**0.5))  # torch's own gelu is an approximation on the CPU: 1.2 bounds off


def swish(x: Tensor) -> Tensor:
    return silu(x)


def in_float32(function: Function) -> Function:
    """What a right half kernel does: widen, compute, round once."""
    return lambda *inputs: function(*(tensor.float() for tensor in inputs)).to(inputs[0].dtype)


RIGHT = [("arithmetic", add), ("sum_of_products", mad), ("transcendental", erf_gelu), ("transcendental", swish)]


@pytest.mark.parametrize("dtype", [torch.float32, *HALVES])
@pytest.mark.parametrize(("family", "function"), RIGHT)
def test_right_arithmetic_passes(family: str, function: Function, dtype: torch.dtype) -> None:
    assert ratio(family, function, in_float32(function), dtype) < 0.85


@pytest.mark.parametrize(("family", "function"), RIGHT)
def test_half_arithmetic_fails_a_float32_task(family: str, function: Function) -> None:
    def halved(*inputs: Tensor) -> Tensor:
        return function(*(tensor.half() for tensor in inputs)).float()

    assert ratio(family, function, halved, torch.float32) > 2


@pytest.mark.parametrize("dtype", HALVES)
def test_half_intermediates_fail_a_half_task(dtype: torch.dtype) -> None:
    assert ratio("sum_of_products", mad, lambda a, b, c: a * b + c, dtype) > 2
    assert ratio("transcendental", swish, lambda x: x * (1 / (1 + torch.exp(-x))), dtype) > 1


def test_tanh_form_of_gelu_fails() -> None:
    assert ratio("transcendental", erf_gelu, lambda x: gelu(x, approximate="tanh"), torch.float32) > 2


def test_exact_is_exact() -> None:
    truth = torch.tensor([1.0, 2.0]).double()
    bound = FAMILIES["exact"](truth, [], "float32", lambda given: given[0])
    got = torch.tensor([1.0, 2.0 + 2**-22])
    assert is_right(got.double(), truth, bound, torch.float32).tolist() == [True, False]
