"""Naive: a kernel for the activation and one for the product, and silu(gate) goes to memory and back, in float32."""

import torch
import triton
import triton.language as tl


@triton.jit
def silu_kernel(gate, activated, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    v = tl.load(gate + offsets, mask).to(tl.float32)
    tl.store(activated + offsets, v / (1.0 + tl.exp(-v)), mask)


@triton.jit
def product_kernel(activated, up, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(activated + offsets, mask) * tl.load(up + offsets, mask).to(tl.float32), mask)


def solve(gate, up, out, n):
    BLOCK = 256
    grid = (triton.cdiv(n, BLOCK),)
    activated = gate.new_empty(n, dtype=torch.float32)
    silu_kernel[grid](gate, activated, n, BLOCK=BLOCK)
    product_kernel[grid](activated, up, out, n, BLOCK=BLOCK)
