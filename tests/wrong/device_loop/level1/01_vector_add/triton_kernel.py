"""A loop in the kernel that never ends."""

import triton
import triton.language as tl


@triton.jit
def loop_kernel(a, out, n):
    x = tl.load(a)
    while x == x:
        x = tl.load(a, volatile=True)
    tl.store(out, x)


def solve(a, b, out, n):
    loop_kernel[(1,)](a, out, n)
