"""Naive: programs of 32 elements, a single warp each: too little is under way at a time."""

import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    total = tl.load(a + offsets, mask) + tl.load(b + offsets, mask)
    tl.store(out + offsets, total, mask)


def solve(a, b, out, n):
    BLOCK = 32
    add_kernel[(triton.cdiv(n, BLOCK),)](a, b, out, n, BLOCK=BLOCK, num_warps=1)
