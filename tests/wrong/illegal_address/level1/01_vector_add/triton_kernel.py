"""The kernel reads far outside every tensor."""

import triton
import triton.language as tl


@triton.jit
def far_kernel(a, out):
    far = tl.full((), 1 << 40, tl.int64)
    tl.store(out, tl.load(a + far))


def solve(a, b, out, n):
    far_kernel[(1,)](a, out)
