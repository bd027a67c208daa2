"""Host side of RMSNorm: a block for each row, as many threads as the row can feed."""

from grader.cuda import cdiv, load

WARP = 32

rmsnorm = load("cuda_kernel.cu", "rmsnorm")


def solve(x, weight, out, rows, cols):
    # TODO: launch rmsnorm with one block for each row, of whole warps
    pass
