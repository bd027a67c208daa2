"""Host side of LayerNorm: a block for each row, as many threads as the row can feed."""

from grader.cuda import cdiv, load

WARP = 32

layernorm = load("cuda_kernel.cu", "layernorm")


def solve(x, weight, bias, out, rows, cols):
    # SOLUTION: launch layernorm with one block for each row, of whole warps
    warps = cdiv(cols, 16 * WARP)  # 16 floats for each thread: 256 threads for 4096 columns
    layernorm[rows, WARP * min(warps, 16)](x, weight, bias, out, rows, cols)
    # END SOLUTION
