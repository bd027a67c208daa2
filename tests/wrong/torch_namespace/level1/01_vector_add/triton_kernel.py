"""The work goes straight to torch's dispatcher."""

import torch


def solve(a, b, out, n):
    torch.ops.aten.add.out(a, b, out=out)
