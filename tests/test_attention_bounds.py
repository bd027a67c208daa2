"""The family of attention: right kernels of every form pass, the wrong ones do not."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from test_reduction_bounds import Function, data, ratio, rounded
from torch import Tensor

DTYPES = [torch.float32, torch.float16, torch.bfloat16]
HALVES = DTYPES[1:]
Map = Callable[[Tensor], Tensor]


def causal(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)


def full(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)


def same(x: Tensor) -> Tensor:
    return x


def to(dtype: torch.dtype) -> Map:
    """Rounding, as what keeps a value in memory or in a register of that type does it."""
    return lambda x: x.to(dtype).float()


def problem(kind: str, sequence: int, dim: int, dtype: torch.dtype, heads: int = 2) -> list[Tensor]:
    """q, k and v of different data; two heads of q share one of k and v."""
    sizes = [(1, heads, sequence, dim), (1, 1, sequence, dim), (1, 1, sequence, dim)]
    blocks = [math.prod(size) for size in sizes]
    return [part.view(size) for part, size in zip(data(kind, sum(blocks), dtype=dtype).split(blocks), sizes)]  # noqa: B905


def in_three_steps(
    score: Map = same, weight: Map | None = None, diagonal: int = 0, maximum: bool = True, **changed: Any
) -> Function:
    """All scores, then their softmax, then the product: `weight` is what rounds the weights (by default to the type
    of q), `score` the scores; `qk` rounds q and k, `scale` is another scale, `lost` a key that nobody sees.
    """

    def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        qk = changed.get("qk", same)
        scores = score(qk(q.float()) @ qk(k.float()).mT * changed.get("scale", q.shape[-1] ** -0.5))
        scores = scores.masked_fill(torch.ones(q.shape[-2], k.shape[-2]).tril(diagonal) == 0, -math.inf)
        if "lost" in changed:
            scores[..., changed["lost"]] = -math.inf
        powers = torch.exp(scores - scores.amax(-1, keepdim=True) * maximum)
        weights = (weight or to(q.dtype))(powers / powers.sum(-1, keepdim=True))
        return (weights @ v.float()).to(q.dtype)

    return attention


def online(tile: int, outputs: Map = same, sums: Map = same, rescale: tuple[float, float] = (1, 1)) -> Function:
    """A walk over tiles of keys; `outputs` and `sums` round what is kept from tile to tile, `rescale` are the powers
    to which the correction of both is raised: 0 leaves it out.
    """

    def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        out, total = torch.zeros(q.shape), torch.zeros(*q.shape[:-1], 1)
        largest = torch.full_like(total, -math.inf)
        for start in range(0, k.shape[-2], tile):
            keys = slice(start, start + tile)
            scores = q.float() @ k[..., keys, :].float().mT * (q.shape[-1] ** -0.5 * math.log2(math.e))
            seen = torch.ones(q.shape[-2], k.shape[-2]).tril()[:, keys] == 1
            scores = scores.masked_fill(~seen, -math.inf)
            larger = torch.maximum(largest, scores.amax(-1, keepdim=True))
            weights, factor = torch.exp2(scores - larger), torch.exp2(largest - larger)
            total = sums(total * factor ** rescale[1] + weights.sum(-1, keepdim=True))
            out = outputs(out * factor ** rescale[0] + weights.to(q.dtype).float() @ v[..., keys, :].float())
            largest = larger
        return (out / total).to(q.dtype)

    return attention


def worst(candidate: Function, kind: str, sequence: int, dtype: torch.dtype, dim: int = 64) -> float:
    return ratio("attention", causal, candidate, *problem(kind, sequence, dim, dtype))


KINDS = ["normal", "positions", "integers", "impulse", "wide", "ties", "constant", "logits"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_right_kernels(kind: str, dtype: torch.dtype) -> None:
    for sequence, dim in ((5, 8), (129, 64), (300, 128)):
        for kernel in (in_three_steps(), online(32)):
            assert worst(kernel, kind, sequence, dtype, dim) < 0.85
    assert worst(online(1), kind, 129, dtype) < 0.85
    assert worst(online(64), kind, 600, dtype) < 0.85
    inputs = problem(kind, 129, 64, dtype)
    assert ratio("attention", full, in_three_steps(diagonal=200), *inputs) < 0.85
    assert ratio("attention", full, lambda q, k, v: torch.zeros_like(q), *inputs) > 2


@pytest.mark.parametrize("dtype", DTYPES)
def test_keys_that_are_not_ones_own(dtype: torch.dtype) -> None:
    for sequence in (33, 129):
        for diagonal in (-1, 1, 200):  # the query's own key is missing, the next is seen, all are
            assert worst(in_three_steps(diagonal=diagonal), "normal", sequence, dtype) > 2
        assert worst(in_three_steps(lost=sequence - 1), "normal", sequence, dtype) > 2
    assert worst(in_three_steps(lost=3), "normal", 1000, dtype) > 2


@pytest.mark.parametrize("dtype", DTYPES)
def test_other_formulas(dtype: torch.dtype) -> None:
    for scale in (1.0, 1 / 64):
        assert worst(in_three_steps(scale=scale), "normal", 129, dtype) > 2
    assert worst(in_three_steps(scale=1 / 8), "normal", 129, dtype, dim=128) > 2
    assert worst(in_three_steps(maximum=False), "integers", 129, dtype) > 2
    for rescale in ((0, 1), (1, 0)):
        assert worst(online(32, rescale=rescale), "normal", 129, dtype) > 2
    inputs = problem("normal", 129, 64, dtype, heads=4)
    rolled = lambda q, k, v: causal(q, k.roll(1, 2), v)  # noqa: E731
    assert ratio("attention", causal, rolled, *inputs) > 2


@pytest.mark.parametrize("dtype", HALVES)
def test_half_precision_inside_of_half_types(dtype: torch.dtype) -> None:
    rounded_scores = in_three_steps(score=to(dtype))  # near 1 they are off by no more than the weights may be
    assert max(worst(rounded_scores, kind, 129, dtype) for kind in ("integers", "wide")) > 2
    assert worst(online(1, outputs=to(dtype)), "normal", 129, dtype) > 2
    assert worst(online(1, sums=to(dtype)), "normal", 129, dtype) > 2
    assert worst(online(32, outputs=to(dtype)), "positions", 1000, dtype) > 2
    assert worst(in_three_steps(weight=to(torch.bfloat16)), "normal", 129, torch.float16) > 2


def test_half_precision_inside_of_float32() -> None:
    tf32 = lambda x: rounded(x, 11)  # noqa: E731
    for sequence in (5, 129, 1000):
        assert worst(in_three_steps(qk=tf32), "normal", sequence, torch.float32) > 2
        assert worst(in_three_steps(weight=tf32), "normal", sequence, torch.float32) > 2
        assert worst(in_three_steps(score=to(torch.float16)), "normal", sequence, torch.float32) > 2
