"""Naive: a program moves a piece along the first index, so that neighbouring lanes touch different planes of x."""

import triton
import triton.language as tl


@triton.jit
def permute_kernel(x, out, d, h, w, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1)
    k = tl.program_id(2)
    piece = tl.load(x + (i * h + j) * w + k, i < d)
    tl.store(out + (j * d + i) * w + k, piece, i < d)


def solve(x, out, d, h, w):
    BLOCK = 128
    permute_kernel[(triton.cdiv(d, BLOCK), h, w)](x, out, d, h, w, BLOCK=BLOCK)
