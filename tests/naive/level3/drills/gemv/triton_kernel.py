"""Naive: 64 elements at a time, reduced to one number each time."""

import triton
import triton.language as tl


@triton.jit
def gemv_kernel(a, x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    for start in range(0, n, BLOCK):
        col = start + tl.arange(0, BLOCK)
        left = tl.load(a + row * n + col, col < n, other=0.0).to(tl.float32)
        total += tl.sum(left * tl.load(x + col, col < n, other=0.0).to(tl.float32))
    tl.store(out + row, total)


def solve(a, x, out, m, n):
    gemv_kernel[(m,)](a, x, out, n, BLOCK=64)
