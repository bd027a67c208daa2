"""Host side of the transpose: a block of 32 x 8 threads for each tile of 32 x 32."""

from grader.cuda import cdiv, load

TILE = 32
STEP = 8

transpose = load("cuda_kernel.cu", "transpose")


def solve(x, out, rows, cols):
    # SOLUTION: launch transpose with one block of (TILE, STEP) threads for each tile
    transpose[(cdiv(cols, TILE), cdiv(rows, TILE)), (TILE, STEP)](x, out, rows, cols)
    # END SOLUTION
