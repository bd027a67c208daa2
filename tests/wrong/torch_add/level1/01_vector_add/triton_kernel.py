"""torch does the work: there is no kernel."""

import torch


def solve(a, b, out, n):
    torch.add(a, b, out=out)
