"""Host side of the residual add and RMSNorm: a block for each row, as many threads as the row can feed."""

from grader.cuda import cdiv, load

WARP = 32

wide = load("cuda_kernel.cu", "fused_rmsnorm<8>")  # cols is a multiple of eight: all rows begin on 16 bytes
any_size = load("cuda_kernel.cu", "fused_rmsnorm<1>")


def solve(x, residual, weight, out, residual_out, rows, cols):
    # TODO: launch the kernel that fits cols, with one block for each row, of whole warps
    pass
