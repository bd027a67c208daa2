"""Host side of the optimized matrix product: a block of 256 threads for each 128 x 256 elements of out."""

from grader.cuda import cdiv, load

BLOCK_M, BLOCK_N, BLOCK_K = 128, 256, 16
THREADS = 256

aligned = load("cuda_kernel.cu", "matmul<false>")
checked = load("cuda_kernel.cu", "matmul<true>")


def solve(a, b, out, m, n, k):
    # TODO: launch aligned where all tiles are full and all stages are used, else checked; smem: all stages
    pass
