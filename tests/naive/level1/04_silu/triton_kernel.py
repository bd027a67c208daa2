"""Naive: programs of 32 elements, a single warp each: too little is under way at a time."""

import triton
import triton.language as tl


@triton.jit
def silu_kernel(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    v = tl.load(x + offsets, mask).to(tl.float32)
    tl.store(out + offsets, v / (1.0 + tl.exp(-v)), mask)


def solve(x, out, n):
    BLOCK = 32
    silu_kernel[(triton.cdiv(n, BLOCK),)](x, out, n, BLOCK=BLOCK, num_warps=1)
