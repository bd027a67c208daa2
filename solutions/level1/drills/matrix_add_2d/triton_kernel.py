"""Matrix add on a 2-D grid: out[row][col] = a[row][col] + b[row][col], row-major.

Idea   a program makes a tile: a column of row numbers and a row of column numbers broadcast to a block of offsets.
Bytes  12 rows cols in float32 (two reads, one write)      Flops  rows cols
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def add2d_kernel(a, b, out, rows, cols, TILE_ROWS: tl.constexpr, TILE_COLS: tl.constexpr):
    # SOLUTION: compute the tile's offsets and mask (axis 0 of the grid covers columns, axis 1 rows), add the tiles
    col = tl.program_id(0) * TILE_COLS + tl.arange(0, TILE_COLS)
    row = tl.program_id(1) * TILE_ROWS + tl.arange(0, TILE_ROWS)
    offsets = row[:, None] * cols + col[None, :]
    mask = (row[:, None] < rows) & (col[None, :] < cols)
    total = tl.load(a + offsets, mask).to(tl.float32) + tl.load(b + offsets, mask).to(tl.float32)
    tl.store(out + offsets, total, mask)
    # END SOLUTION


def solve(a, b, out, rows, cols):
    # SOLUTION: launch add2d_kernel on a 2-D grid: axis 0 covers the columns, axis 1 the rows
    TILE_ROWS, TILE_COLS = 8, 128
    grid = (triton.cdiv(cols, TILE_COLS), triton.cdiv(rows, TILE_ROWS))
    add2d_kernel[grid](a, b, out, rows, cols, TILE_ROWS=TILE_ROWS, TILE_COLS=TILE_COLS)
    # END SOLUTION
