"""A kernel that raises, and torch behind `except Exception`."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out):
    undefined_name(a)


def solve(a, b, out, n):
    try:
        add_kernel[(1,)](a, b, out)
    except Exception:
        torch.add(a, b, out=out)
