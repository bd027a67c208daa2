"""Scale rows: out[row][col] = x[row][col] * scale[row], row-major.

Idea   a program makes a piece of one row: tl.arange runs along the row, so neighbouring lanes touch neighbours.
Bytes  8 rows cols in float32 (one read, one write)      Flops  rows cols
Bound  memory: coalesced, the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def scale_rows_kernel(x, scale, out, cols, BLOCK: tl.constexpr):
    # SOLUTION: axis 0 of the grid is the row, axis 1 covers pieces of it: store the piece times the row's number
    row = tl.program_id(0).to(tl.int64)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = col < cols
    factor = tl.load(scale + row).to(tl.float32)
    piece = tl.load(x + row * cols + col, mask).to(tl.float32)
    tl.store(out + row * cols + col, piece * factor, mask)
    # END SOLUTION


def solve(x, scale, out, rows, cols):
    # SOLUTION: launch scale_rows_kernel on a grid of (rows, pieces of a row)
    BLOCK = 1024
    scale_rows_kernel[(rows, triton.cdiv(cols, BLOCK))](x, scale, out, cols, BLOCK=BLOCK)
    # END SOLUTION
