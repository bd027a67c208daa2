"""Naive: launch after launch of programs of 32 elements, a single warp each, until one result is left."""

import torch
import triton
import triton.language as tl

BLOCK = 32


@triton.jit
def block_sums_kernel(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + offsets, offsets < n, other=0.0).to(tl.float32)
    tl.store(out + tl.program_id(0), tl.sum(values))


def solve(x, out, n):
    while n > BLOCK:
        partial = torch.empty(triton.cdiv(n, BLOCK), dtype=torch.float32, device=x.device)
        block_sums_kernel[(len(partial),)](x, partial, n, BLOCK=BLOCK, num_warps=1)
        x, n = partial, len(partial)
    block_sums_kernel[(1,)](x, out, n, BLOCK=BLOCK, num_warps=1)
