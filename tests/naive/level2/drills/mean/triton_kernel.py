"""Naive: 64 elements at a time, reduced to one number each time."""

import triton
import triton.language as tl


@triton.jit
def mean_kernel(x, out, cols, BLOCK: tl.constexpr):
    x += tl.program_id(0).to(tl.int64) * cols
    total = 0.0
    for start in range(0, cols, BLOCK):
        col = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x + col, col < cols, other=0.0).to(tl.float32))
    tl.store(out + tl.program_id(0), total / cols)


def solve(x, out, rows, cols):
    mean_kernel[(rows,)](x, out, cols, BLOCK=64)
