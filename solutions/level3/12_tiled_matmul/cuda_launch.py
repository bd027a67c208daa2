"""Host side of the tiled matrix product: a block of 32 x 8 threads for each tile of 32 x 32 elements of out."""

from grader.cuda import cdiv, load

TILE = 32
ROWS = 4

matmul = load("cuda_kernel.cu", "matmul")


def solve(a, b, out, m, n, k):
    # SOLUTION: launch matmul with one block for each tile of out: TILE threads along x, TILE / ROWS along y
    matmul[(cdiv(n, TILE), cdiv(m, TILE)), (TILE, TILE // ROWS)](a, b, out, m, n, k)
    # END SOLUTION
