"""Naive: no tile: a program reads a piece of a row and writes it as a piece of a column, so no write coalesces."""

import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x, out, rows, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    piece = tl.load(x + row * cols + col, col < cols)
    tl.store(out + col * rows + row, piece, col < cols)


def solve(x, out, rows, cols):
    BLOCK = 128
    transpose_kernel[(rows, triton.cdiv(cols, BLOCK))](x, out, rows, cols, BLOCK=BLOCK)
