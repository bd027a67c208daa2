"""solve() lacks an argument."""

import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(a + offsets, mask) + tl.load(b + offsets, mask), mask)


def solve(a, b, out):
    add_kernel[(1,)](a, b, out, out.numel(), BLOCK=1024)
