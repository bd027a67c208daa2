"""Host side of RMSNorm: a block for each row, as many threads as the row can feed."""

from grader.cuda import cdiv, load

WARP = 32

rmsnorm = load("cuda_kernel.cu", "rmsnorm")


def solve(x, weight, out, rows, cols):
    # SOLUTION: launch rmsnorm with one block for each row, of whole warps
    warps = cdiv(cols, 16 * WARP)  # 16 floats for each thread: 256 threads for 4096 columns
    rmsnorm[rows, WARP * min(warps, 16)](x, weight, out, rows, cols)
    # END SOLUTION
