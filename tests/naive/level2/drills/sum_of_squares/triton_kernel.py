"""Naive: the squares go to memory and back; then launch after launch of programs of 32 elements, a warp each."""

import torch
import triton
import triton.language as tl

BLOCK = 32


@triton.jit
def square_kernel(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + offsets, offsets < n).to(tl.float32)
    tl.store(out + offsets, values * values, offsets < n)


@triton.jit
def sum_kernel(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + offsets, offsets < n, other=0.0)
    tl.store(out + tl.program_id(0), tl.sum(values))


def solve(x, out, n):
    squares = torch.empty(n, dtype=torch.float32, device=x.device)
    square_kernel[(triton.cdiv(n, BLOCK),)](x, squares, n, BLOCK=BLOCK, num_warps=1)
    x = squares
    while n > BLOCK:
        partial = torch.empty(triton.cdiv(n, BLOCK), dtype=torch.float32, device=x.device)
        sum_kernel[(len(partial),)](x, partial, n, BLOCK=BLOCK, num_warps=1)
        x, n = partial, len(partial)
    sum_kernel[(1,)](x, out, n, BLOCK=BLOCK, num_warps=1)
