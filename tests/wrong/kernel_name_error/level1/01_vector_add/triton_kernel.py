"""The kernel uses a name that does not exist."""

import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out):
    undefined_name(a)


def solve(a, b, out, n):
    add_kernel[(1,)](a, b, out)
