"""A kernel writes one element, nothing writes the rest."""

import triton
import triton.language as tl


@triton.jit
def decoy(out):
    tl.store(out, 0.0)


def solve(a, b, out, n):
    decoy[(1,)](out)
