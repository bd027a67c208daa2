"""Naive: a kernel for each of the two operations, and the sum goes to memory and back between them."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_bias_kernel(x, bias, total, n, cols, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(total + offsets, tl.load(x + offsets, mask).to(tl.float32) + tl.load(bias + offsets % cols, mask), mask)


@triton.jit
def gelu_kernel(total, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    v = tl.load(total + offsets, mask)
    tl.store(out + offsets, 0.5 * v * (1 + tl.erf(v * 0.70710678)), mask)


def solve(x, bias, out, rows, cols):
    BLOCK = 256
    n = rows * cols
    grid = (triton.cdiv(n, BLOCK),)
    total = torch.empty(n, dtype=torch.float32, device=x.device)
    add_bias_kernel[grid](x, bias, total, n, cols, BLOCK=BLOCK)
    gelu_kernel[grid](total, out, n, BLOCK=BLOCK)
