"""Naive: a program makes a piece of a column, so that neighbouring lanes touch different rows: nothing coalesces."""

import triton
import triton.language as tl


@triton.jit
def scale_rows_kernel(x, scale, out, rows, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = row < rows
    offsets = row * cols + tl.program_id(1)
    column = tl.load(x + offsets, mask).to(tl.float32)
    tl.store(out + offsets, column * tl.load(scale + row, mask).to(tl.float32), mask)


def solve(x, scale, out, rows, cols):
    BLOCK = 128
    scale_rows_kernel[(triton.cdiv(rows, BLOCK), cols)](x, scale, out, rows, cols, BLOCK=BLOCK)
