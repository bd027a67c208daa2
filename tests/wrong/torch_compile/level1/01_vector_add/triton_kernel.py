"""torch.compile writes the kernel."""

import torch

@torch.compile
def add(a, b, out):
    torch.add(a, b, out=out)


def solve(a, b, out, n):
    add(a, b, out)
