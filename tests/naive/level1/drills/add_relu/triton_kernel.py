"""Naive: a kernel for each of the two operations, and the sum goes to memory and back between them."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, total, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(total + offsets, tl.load(a + offsets, mask).to(tl.float32) + tl.load(b + offsets, mask), mask)


@triton.jit
def relu_kernel(total, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    v = tl.load(total + offsets, mask)
    tl.store(out + offsets, tl.where(v < 0, 0.0, v), mask)


def solve(a, b, out, n):
    BLOCK = 256
    grid = (triton.cdiv(n, BLOCK),)
    total = torch.empty(n, dtype=torch.float32, device=a.device)
    add_kernel[grid](a, b, total, n, BLOCK=BLOCK)
    relu_kernel[grid](total, out, n, BLOCK=BLOCK)
