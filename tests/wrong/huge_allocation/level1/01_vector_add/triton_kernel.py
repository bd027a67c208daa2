"""Asks for 128 TiB."""

import torch


def solve(a, b, out, n):
    torch.empty(1 << 47, dtype=torch.uint8, device=a.device)
