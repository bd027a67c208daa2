"""Host side of the optimized matrix product: a block of 256 threads for each 128 x 256 elements of out."""

from grader.cuda import cdiv, load

BLOCK_M, BLOCK_N, BLOCK_K = 128, 256, 16
THREADS = 256

aligned = load("cuda_kernel.cu", "matmul<false>")
checked = load("cuda_kernel.cu", "matmul<true>")


def solve(a, b, out, m, n, k):
    # SOLUTION: launch aligned where all tiles are full and all stages are used, else checked; smem: all stages
    stages = 3
    is_full = m % BLOCK_M == 0 and n % BLOCK_N == 0 and k % BLOCK_K == 0
    kernel = aligned if is_full and k >= stages * BLOCK_K else checked
    smem = stages * BLOCK_K * (BLOCK_M + 4 + BLOCK_N) * 4
    kernel[(cdiv(n, BLOCK_N), cdiv(m, BLOCK_M)), THREADS](a, b, out, m, n, k, smem=smem)
    # END SOLUTION
