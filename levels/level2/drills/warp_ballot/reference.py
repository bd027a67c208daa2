"""The positive elements of x in their order, then zeros; and how many there are. NaN is not positive."""

import torch


def inputs(rand, n):
    return {"x": rand(n)}


def reference(x):
    kept = x[x > 0]
    out = torch.zeros_like(x)
    out[: len(kept)] = kept
    return {"out": out, "count": torch.tensor([len(kept)], dtype=torch.int32, device=x.device)}


def flops(n):
    return n
