"""The families of reductions and products: right float32 arithmetic passes, the wrong kinds do not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from grader.bounds import FAMILIES
from grader.check import is_right
from grader.data import EXACT_INTEGERS, KINDS

Function = Callable[..., Tensor]


def data(kind: str, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    name = str(dtype).removeprefix("torch.")
    return torch.from_numpy(KINDS[kind](np.random.default_rng(1), shape, EXACT_INTEGERS[name])).to(dtype)


def ratio(family: str, function: Function, candidate: Function, *inputs: Tensor) -> float:
    """The candidate's largest error in units of the bound; infinite where it is NaN and should not be."""
    dtype = inputs[0].dtype
    wide = [tensor.double() for tensor in inputs]
    truth = function(*wide)
    bound = FAMILIES[family](truth, wide, str(dtype).removeprefix("torch."), lambda given: function(*given))
    error = (candidate(*inputs).double() - truth).abs().nan_to_num(nan=float("inf"))
    return float((error / bound.clamp(min=1e-300)).max())


def total(x: Tensor) -> Tensor:
    return x.sum(-1)


def average(x: Tensor) -> Tensor:
    return x.mean(-1)


def softmax(x: Tensor) -> Tensor:
    return torch.softmax(x, -1)


def layernorm(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    centred = x - x.mean(-1, keepdim=True)
    return centred * (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt() * w + b


def rmsnorm(x: Tensor, w: Tensor) -> Tensor:
    return x * (x.square().mean(-1, keepdim=True) + 1e-5).rsqrt() * w


def sequential(x: Tensor) -> Tensor:
    """One float32 accumulator, from the first element to the last."""
    return torch.cumsum(x, -1)[..., -1]


def rounded(tensor: Tensor, bits: int) -> Tensor:
    """Keep `bits` of the significand: 11 is TF32 and fp16, 8 is bf16."""
    mantissa, exponent = torch.frexp(tensor.double())
    return torch.ldexp((mantissa * 2**bits).round() / 2**bits, exponent).float()


WEIGHT, BIAS = data("normal", 1000), data("normal", 1000)


@pytest.mark.parametrize("kind", ["normal", "wide", "integers", "impulse", "shifted"])
@pytest.mark.parametrize("columns", [7, 1000, 65536])
def test_sums(kind: str, columns: int) -> None:
    x = data(kind, 8, columns)
    assert ratio("reduction", total, sequential, x) < 0.85
    assert ratio("reduction", total, total, x) < 0.5
    assert ratio("mean", average, average, x) < 0.5


@pytest.mark.parametrize("kind", ["normal", "positions", "impulse"])
def test_a_lost_element_is_noticed(kind: str) -> None:
    x = data(kind, 8, 1000)
    assert ratio("reduction", total, lambda x: x[:, :-1].sum(-1), x) > 2
    assert ratio("mean", average, lambda x: x[:, :-1].sum(-1) / 1000, x) > 2


def test_another_n_is_noticed() -> None:
    assert ratio("mean", average, lambda x: x.sum(-1) / 999, data("positions", 8, 1000)) > 2


@pytest.mark.parametrize("k", [16, 1024, 4096])
def test_products(k: int) -> None:
    a, b = data("normal", 64, k), data("normal", k, 64)
    assert ratio("reduction", torch.matmul, torch.matmul, a, b) < 0.5
    assert ratio("reduction", torch.matmul, lambda a, b: sequential(a[:, None] * b.T[None]), a[:32], b) < 0.85
    for bits in (11, 8):
        assert ratio("reduction", torch.matmul, lambda a, b: rounded(a, bits) @ rounded(b, bits), a, b) > 2  # noqa: B023
    assert ratio("reduction", torch.matmul, lambda a, b: a[:, 1:] @ b[1:], a, b) > 2
    assert ratio("reduction", torch.matmul, lambda a, b: torch.zeros(64, 64), a, b) > 2


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_products_are_accumulated_in_float32(dtype: torch.dtype) -> None:
    a, b = data("normal", 32, 1024, dtype=dtype), data("normal", 1024, 32, dtype=dtype)
    assert ratio("reduction", torch.matmul, lambda a, b: (a.float() @ b.float()).to(dtype), a, b) < 0.85
    terms = lambda a, b: (a[:, None].float() * b.T[None].float()).to(dtype)  # noqa: E731

    def half_accumulator(a: Tensor, b: Tensor) -> Tensor:
        sums = torch.zeros(32, 32, dtype=dtype)
        for term in terms(a, b).unbind(-1):
            sums = sums + term
        return sums

    assert ratio("reduction", torch.matmul, half_accumulator, a, b) > 2


@pytest.mark.parametrize("kind", ["normal", "logits", "ties", "constant"])
@pytest.mark.parametrize("columns", [5, 1000, 40_000])
def test_softmax(kind: str, columns: int) -> None:
    x = data(kind, 4, columns)
    assert ratio("softmax", softmax, softmax, x) < 0.85
    online = lambda x: torch.exp2((x - x.amax(-1, keepdim=True)) * 1.4426950408889634)  # noqa: E731
    assert ratio("softmax", softmax, lambda x: online(x) / online(x).sum(-1, keepdim=True), x) < 0.85
    assert ratio("softmax", softmax, torch.zeros_like, x) > 2


def test_wrong_softmax_is_noticed() -> None:
    x = data("normal", 4, 4096)
    powers = lambda x: torch.exp(x - x.amax(-1, keepdim=True))  # noqa: E731
    assert ratio("softmax", softmax, lambda x: torch.full_like(x, 1 / 4096), x) > 2
    assert ratio("softmax", softmax, lambda x: powers(x) / powers(x)[:, :-1].sum(-1, keepdim=True), x) > 2
    assert ratio("softmax", softmax, lambda x: rounded(powers(x), 11) / powers(x).sum(-1, keepdim=True), x) > 2
    assert ratio("softmax", softmax, lambda x: x.exp() / x.exp().sum(-1, keepdim=True), data("logits", 4, 64)) > 2


@pytest.mark.parametrize("kind", ["normal", "shifted", "tiny_spread", "wide", "constant"])
def test_norms(kind: str) -> None:
    x = data(kind, 16, 1000)
    assert ratio("normalization", layernorm, layernorm, x, WEIGHT, BIAS) < 0.85
    assert ratio("normalization", rmsnorm, rmsnorm, x, WEIGHT) < 0.85


def test_wrong_norms_are_noticed() -> None:
    def one_pass(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
        mean = x.mean(-1, keepdim=True)
        variance = x.square().mean(-1, keepdim=True) - mean.square()
        return (x - mean) * (variance.clamp(min=0) + 1e-5).rsqrt() * w + b

    def other_eps(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
        centred = x - x.mean(-1, keepdim=True)
        return centred * (centred.square().mean(-1, keepdim=True) + 1e-6).rsqrt() * w + b

    def other_divisor(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
        centred = x - x.mean(-1, keepdim=True)
        return centred * (centred.square().sum(-1, keepdim=True) / 999 + 1e-5).rsqrt() * w + b

    assert ratio("normalization", layernorm, one_pass, data("shifted", 16, 1000), WEIGHT, BIAS) > 2
    assert ratio("normalization", layernorm, other_eps, data("tiny_spread", 16, 1000), WEIGHT, BIAS) > 2
    assert ratio("normalization", layernorm, other_divisor, data("normal", 16, 1000), WEIGHT, BIAS) > 2


def test_rows_with_nan_do_not_excuse_the_others() -> None:
    x = data("normal", 4, 100)
    x[1, 3] = float("nan")
    wide = [x.double()]
    truth = softmax(*wide)
    bound = FAMILIES["softmax"](truth, wide, "float32", lambda given: softmax(*given))
    got = softmax(x)
    got[2] += 1
    right = is_right(got.double(), truth, bound, torch.float32)
    assert right[[0, 1, 3]].all() and not right[2].any()
