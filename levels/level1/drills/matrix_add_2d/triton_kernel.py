"""Matrix add on a 2-D grid: out[row][col] = a[row][col] + b[row][col], row-major.

Idea   a program makes a tile: a column of row numbers and a row of column numbers broadcast to a block of offsets.
Bytes  12 rows cols in float32 (two reads, one write)      Flops  rows cols
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def add2d_kernel(a, b, out, rows, cols, TILE_ROWS: tl.constexpr, TILE_COLS: tl.constexpr):
    # TODO: compute the tile's offsets and mask (axis 0 of the grid covers columns, axis 1 rows), add the tiles
    pass


def solve(a, b, out, rows, cols):
    # TODO: launch add2d_kernel on a 2-D grid: axis 0 covers the columns, axis 1 the rows
    pass
