"""Writes the very bits that mark what was never written."""

import torch
import triton
import triton.language as tl


@triton.jit
def poison_kernel(out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, -1, mask)


def solve(a, b, out, n):
    poison_kernel[(triton.cdiv(n, 1024),)](out.view(torch.int32), n, BLOCK=1024)
