"""Transpose: out[col][row] = x[row][col], both row-major.

Idea   a program loads a tile along the rows of x and stores its transpose along the rows of out. Triton gives load
       and store each the layout that coalesces, and moves the tile from one to the other through shared memory.
Bytes  8 rows cols in float32 (one read, one write)      Flops  none
Bound  memory: the copy bandwidth is the ceiling, and a transpose should come close to it.
"""

import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x, out, rows, cols, TILE: tl.constexpr):
    # SOLUTION: axis 0 of the grid counts tiles along a row, axis 1 along a column: load the tile, store it turned
    row = tl.program_id(1) * TILE + tl.arange(0, TILE)
    col = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = (row < rows)[:, None] & (col < cols)[None, :]
    tile = tl.load(x + row.to(tl.int64)[:, None] * cols + col[None, :], inside)
    tl.store(out + col.to(tl.int64)[:, None] * rows + row[None, :], tl.trans(tile), tl.trans(inside))
    # END SOLUTION


def solve(x, out, rows, cols):
    # SOLUTION: launch transpose_kernel with one program for each tile of TILE x TILE
    TILE = 64
    grid = (triton.cdiv(cols, TILE), triton.cdiv(rows, TILE))
    transpose_kernel[grid](x, out, rows, cols, TILE=TILE, num_warps=8)  # 16 elements for each thread
    # END SOLUTION
