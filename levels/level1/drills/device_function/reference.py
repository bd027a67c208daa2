"""Mish: out = x * tanh(softplus(x)), softplus(x) = log(1 + exp(x)) (Misra, 2019)."""

import torch


def inputs(rand, n):
    return {"x": rand(n)}


def reference(x):
    return x * torch.tanh(torch.logaddexp(x, torch.zeros_like(x)))


def flops(n):
    return 7 * n
