"""The work goes to a scripted torch function."""

import warnings

import torch

warnings.simplefilter("ignore")


@torch.jit.script
def add(a: torch.Tensor, b: torch.Tensor, out: torch.Tensor):
    out.copy_(a + b)


def solve(a, b, out, n):
    add(a, b, out)
