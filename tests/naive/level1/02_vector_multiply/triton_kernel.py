"""Naive: a grid of 32 programs, however large the GPU is."""

import triton
import triton.language as tl


@triton.jit
def multiply_kernel(a, b, out, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < n
        product = tl.load(a + offsets, mask).to(tl.float32) * tl.load(b + offsets, mask).to(tl.float32)
        tl.store(out + offsets, product, mask)


def solve(a, b, out, n):
    multiply_kernel[(32,)](a, b, out, n, BLOCK=1024)
