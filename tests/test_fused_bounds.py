"""The families of a model's fused operations: right float32 arithmetic passes, the wrong kinds do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from test_reduction_bounds import Function, data, ratio, rounded
from torch import Tensor
from torch.nn.functional import linear, silu


def swiglu(gate: Tensor, up: Tensor) -> Tensor:
    return silu(gate) * up


def fused_swiglu(gate: Tensor, up: Tensor) -> Tensor:
    return (silu(gate.float()) * up.float()).to(gate.dtype)


@pytest.mark.parametrize("kind", ["normal", "positions", "wide"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
def test_swiglu(kind: str, dtype: torch.dtype) -> None:
    gate, up = data(kind, 10_000, dtype=dtype), data(kind, 10_000, dtype=dtype).flip(0)
    assert ratio("transcendental", swiglu, fused_swiglu, gate, up) < 0.85
    sigmoid = lambda gate, up: torch.sigmoid(gate) * up  # noqa: E731
    assert ratio("transcendental", swiglu, sigmoid, gate, up) > 2


def test_wrong_swiglu_is_noticed() -> None:
    gate, up = data("normal", 100_000), data("normal", 100_000).flip(0)
    powers = lambda gate: rounded(torch.exp(-gate), 11)  # noqa: E731
    assert ratio("transcendental", swiglu, lambda gate, up: gate / (1 + powers(gate)) * up, gate, up) > 2
    half = gate.bfloat16(), up.bfloat16()  # each step rounded: some three times half an ulp, where one ulp is allowed
    assert ratio("transcendental", swiglu, lambda gate, up: gate / (1 + torch.exp(-gate)) * up, *half) > 1.3


def cross_entropy(targets: Tensor) -> Function:
    return lambda logits: torch.nn.functional.cross_entropy(logits, targets, reduction="none")


def by_hand(targets: Tensor, powers: Callable[[Tensor], Tensor], maximum: bool = True) -> Function:
    """The loss from a row's largest logit m and `powers` of x - m."""

    def loss(logits: Tensor) -> Tensor:
        x = logits.float()
        m = x.amax(-1, keepdim=True) * maximum
        return ((m - x.gather(1, targets[:, None]))[:, 0] + powers(x - m).sum(-1).log()).to(logits.dtype)

    return loss


@pytest.mark.parametrize("kind", ["normal", "logits", "ties", "constant"])
@pytest.mark.parametrize("columns", [5, 1000, 40_000])
def test_cross_entropy(kind: str, columns: int) -> None:
    logits, targets = data(kind, 8, columns), torch.arange(8) * 7919 % columns
    truth = cross_entropy(targets)
    assert ratio("cross_entropy", truth, by_hand(targets, torch.exp), logits) < 0.85
    sequential = lambda x: torch.cumsum(x.exp(), -1)[:, -1:]  # noqa: E731
    assert ratio("cross_entropy", truth, by_hand(targets, sequential), logits) < 0.85
    assert ratio("cross_entropy", truth, lambda x: torch.zeros(8), logits) > 2


@pytest.mark.parametrize("columns", [5, 1000, 128_256])
def test_wrong_cross_entropy_is_noticed(columns: int) -> None:
    logits, targets = data("normal", 8, columns), torch.arange(8) * 7919 % columns
    truth = cross_entropy(targets)
    assert ratio("cross_entropy", truth, by_hand(targets, lambda x: x[:, :-1].exp()), logits) > 2
    if columns <= 1000:  # of very many the rounding errors cancel
        assert ratio("cross_entropy", truth, by_hand(targets, lambda x: rounded(x.exp(), 11)), logits) > 2
    overflowing = by_hand(targets, torch.exp, maximum=False)
    assert ratio("cross_entropy", truth, overflowing, data("logits", 8, columns)) > 2


def mlp(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    return linear(silu(linear(x, w_gate)) * linear(x, w_up), w_down)


def mlp_inputs(kind: str, tokens: int, dim: int, hidden: int) -> tuple[Tensor, ...]:
    def weights(rows: int, cols: int) -> Tensor:
        return data(kind, rows, cols, dtype=torch.bfloat16) * 2.0 ** -(cols.bit_length() // 2)

    x = data(kind, tokens, dim, dtype=torch.bfloat16)
    return x, weights(hidden, dim), weights(hidden, dim).flip(0), weights(dim, hidden)


def mlp_with(product: Function, combine: Function, hidden: int | None = None) -> Function:
    """The MLP from a matrix product and silu(gate) * up; of the last sum only the first `hidden` terms."""

    def run(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
        h = combine(product(x, w_gate), product(x, w_up)).bfloat16()
        return product(h[:, :hidden], w_down[:, :hidden]).bfloat16()

    return run


def float32_sums(a: Tensor, w: Tensor) -> Tensor:
    return linear(a.float(), w.float())


def bfloat16_sums(a: Tensor, w: Tensor) -> Tensor:
    """Rounded after every 16 terms."""
    sums = torch.zeros(len(a), len(w), dtype=torch.bfloat16)
    for a_part, w_part in zip(a.split(16, 1), w.split(16, 1), strict=True):
        sums = (sums.float() + float32_sums(a_part, w_part)).bfloat16()
    return sums


@pytest.mark.parametrize("kind", ["normal", "integers", "wide", "positions"])
@pytest.mark.parametrize("sizes", [(64, 1, 1), (33, 257, 65), (128, 512, 1376)])
def test_mlp(kind: str, sizes: tuple[int, int, int]) -> None:
    given = mlp_inputs(kind, *sizes)
    assert ratio("gated_mlp", mlp, mlp_with(float32_sums, swiglu), *given) < 0.85
    rounded_sums = lambda a, w: float32_sums(a, w).bfloat16()  # noqa: E731
    pytorchs = mlp_with(rounded_sums, swiglu)  # gate, up and silu(gate) rounded on their way
    assert ratio("gated_mlp", mlp, pytorchs, *given) < 0.85


def test_wrong_mlps_are_noticed() -> None:
    given = mlp_inputs("normal", 128, 1024, 2752)
    sigmoid = lambda gate, up: torch.sigmoid(gate) * up  # noqa: E731
    assert ratio("gated_mlp", mlp, mlp_with(float32_sums, sigmoid), *given) > 2
    assert ratio("gated_mlp", mlp, mlp_with(float32_sums, swiglu, hidden=-1), *given) > 2
    assert ratio("gated_mlp", mlp, mlp_with(bfloat16_sums, fused_swiglu), *given) > 2


WEIGHT = data("normal", 1000)


def residual_norm(x: Tensor, residual: Tensor, weight: Tensor) -> Tensor:
    total = x + residual
    return total * (total.square().mean(-1, keepdim=True) + 1e-5).rsqrt() * weight


def residual_norm_with(rounded_sum: bool = True, eps: float = 1e-5) -> Function:
    """The fused kernel: everything in float32, but for the sum, which is rounded to the inputs' type."""

    def run(x: Tensor, residual: Tensor, weight: Tensor) -> Tensor:
        total = x.float() + residual.float()
        total = total.to(x.dtype).float() if rounded_sum else total
        return (total * (total.square().mean(-1, keepdim=True) + eps).rsqrt() * weight.float()).to(x.dtype)

    return run


def residual_inputs(kind: str, dtype: torch.dtype, columns: int = 1000) -> tuple[Tensor, ...]:
    return (
        data(kind, 16, columns, dtype=dtype),
        data(kind, 16, columns, dtype=dtype).flip(0),
        WEIGHT[:columns].to(dtype),
    )


@pytest.mark.parametrize("kind", ["normal", "positions", "tiny_spread", "wide", "integers"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
@pytest.mark.parametrize("columns", [1, 2, 1000])
def test_residual_norm(kind: str, dtype: torch.dtype, columns: int) -> None:
    given = residual_inputs(kind, dtype, columns)
    for rounded_sum in (True, False):
        assert ratio("residual_norm", residual_norm, residual_norm_with(rounded_sum), *given) < 0.85
        assert ratio("arithmetic", torch.add, torch.add, *given[:2]) < 0.85


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
def test_wrong_residual_norms_are_noticed(dtype: torch.dtype) -> None:
    given = residual_inputs("normal", dtype)
    of_x_alone = lambda x, residual, weight: residual_norm(x, residual * 0, weight)  # noqa: E731
    assert ratio("residual_norm", residual_norm, of_x_alone, *given) > 2
    assert ratio("residual_norm", residual_norm, lambda x, residual, weight: x + residual, *given) > 2
    spread = residual_inputs("tiny_spread", dtype)
    assert ratio("residual_norm", residual_norm, residual_norm_with(eps=1e-6), *spread) > 2
    assert ratio("arithmetic", torch.add, lambda x, residual: x, *given[:2]) > 2


def test_squares_added_in_bfloat16_are_noticed() -> None:
    def run(x: Tensor, residual: Tensor, weight: Tensor) -> Tensor:
        total, squares = (x + residual).float(), torch.zeros(16, dtype=torch.bfloat16)
        for column in total.square().unbind(-1):
            squares = (squares.float() + column).bfloat16()
        return (total * (squares.float()[:, None] / 1000 + 1e-5).rsqrt() * weight.float()).bfloat16()

    assert ratio("residual_norm", residual_norm, run, *residual_inputs("normal", torch.bfloat16)) > 2


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """RoPE of (positions, heads, elements) by angles of (positions, elements / 2)."""
    first, second = x.chunk(2, -1)
    cos, sin = cos[:, None], sin[:, None]
    return torch.cat((first * cos - second * sin, second * cos + first * sin), -1)


def in_float32(function: Function) -> Function:
    return lambda *given: function(*(tensor.float() for tensor in given)).to(given[0].dtype)


def rope_inputs(kind: str, dtype: torch.dtype) -> tuple[Tensor, ...]:
    angle = data(kind, 100, 64, dtype=dtype).flip(1)
    return data(kind, 100, 4, 128, dtype=dtype), angle.cos(), angle.sin()


@pytest.mark.parametrize("kind", ["normal", "positions", "integers", "wide", "impulse"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
def test_rotation(kind: str, dtype: torch.dtype) -> None:
    assert ratio("rotation", rotate, in_float32(rotate), *rope_inputs(kind, dtype)) < 0.85


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
def test_wrong_rotations_are_noticed(dtype: torch.dtype) -> None:
    def neighbours(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        swapped = x.unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)
        return rotate(swapped, cos, sin).unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)

    wrong = {
        "neighbours": neighbours,
        "the other way": lambda x, cos, sin: rotate(x, cos, -sin),
        "exchanged": lambda x, cos, sin: rotate(x, sin, cos),
        "one position on": lambda x, cos, sin: rotate(x, cos.roll(1, 0), sin.roll(1, 0)),
        "bfloat16": lambda x, cos, sin: rotate(x.bfloat16(), cos.bfloat16(), sin.bfloat16()).to(x.dtype),
    }
    for name, function in wrong.items():
        assert ratio("rotation", rotate, function, *rope_inputs("normal", dtype)) > 2, name


def rmsnorm_backward(which: str, eps: float = 1e-5, projected: bool = True) -> Function:
    """Either gradient of the RMS norm of rows, with its usual mistakes."""

    def run(x: Tensor, weight: Tensor, grad_out: Tensor) -> Tensor:
        scale = (x.square().mean(-1, keepdim=True) + eps).rsqrt()
        normal, grad = x * scale, grad_out * weight
        along = (grad * normal).mean(-1, keepdim=True) * projected
        return scale * (grad - normal * along) if which == "x" else (grad_out * normal).sum(0)

    return run


GRADIENTS = {"x": "rmsnorm_gradient", "weight": "rmsnorm_weight_gradient"}


def gradient_inputs(kind: str, dtype: torch.dtype, columns: int = 1000) -> tuple[Tensor, ...]:
    x = data(kind, 200, columns, dtype=dtype)
    return x, WEIGHT[:columns].to(dtype), data("normal", 200, columns, dtype=dtype).flip(0)


@pytest.mark.parametrize("kind", ["normal", "positions", "integers", "wide", "tiny_spread", "impulse"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
@pytest.mark.parametrize("columns", [1, 3, 1000])
def test_rmsnorm_backward(kind: str, dtype: torch.dtype, columns: int) -> None:
    given = gradient_inputs(kind, dtype, columns)
    for which, family in GRADIENTS.items():
        truth = rmsnorm_backward(which)
        assert ratio(family, truth, in_float32(truth), *given) < 0.85


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
def test_wrong_rmsnorm_gradients_are_noticed(dtype: torch.dtype) -> None:
    def noticed(which: str, candidate: Function, kind: str = "normal") -> bool:
        return ratio(GRADIENTS[which], rmsnorm_backward(which), candidate, *gradient_inputs(kind, dtype)) > 2

    assert noticed("x", rmsnorm_backward("x", projected=False))
    assert noticed("x", rmsnorm_backward("x", eps=1e-6), "tiny_spread")
    assert noticed("weight", rmsnorm_backward("weight", eps=1e-6), "tiny_spread")
    assert noticed("weight", lambda x, w, g: rmsnorm_backward("weight")(x[1:], w, g[1:]))
    assert noticed("weight", lambda x, w, g: torch.cumsum((g * x).bfloat16(), 0)[-1].to(x.dtype))
    halved = lambda which: lambda *given: rmsnorm_backward(which)(*(t.bfloat16() for t in given)).to(dtype)  # noqa: E731
    assert noticed("x", halved("x")) and (dtype is torch.bfloat16 or noticed("weight", halved("weight")))
