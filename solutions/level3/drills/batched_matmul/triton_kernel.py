"""Batched matrix product: out[i] = a[i] b[i] for every i < batch; a[i] is m x k, b[i] k x n, out[i] m x n, row-major.

Idea   the tiled product with one axis more: axes 0 and 1 of the grid find the tile of out, axis 2 the matrix, which
       begins m k, k n and m n elements after the one before. Half types are multiplied as they are, on Tensor Cores,
       and added up in float32.
Bytes  4 batch (m k + k n + m n) in float32 at least once; each element of a is loaded n / BLOCK_N times, each of b
       m / BLOCK_M times, mostly from the L2 cache, for the tiles of one matrix run at about the same time
Flops  2 batch m n k
Bound  compute in float32 from some 72 x 72 x 72 on, below that memory.
"""

import triton
import triton.language as tl

BLOCK_M = 64
BLOCK_N = 64
BLOCK_K = 16
MAX_Z = 65535  # the most programs along axis 1 or 2 that a launch may have; along axis 0 it is 2^31 - 1


@triton.jit
def batched_matmul_kernel(a, b, out, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    # SOLUTION: go to matrix program_id(2) of each tensor; from there on it is the tiled product
    matrix = tl.program_id(2).to(tl.int64)
    a += matrix * m * k
    b += matrix * k * n
    out += matrix * m * n

    row = tl.program_id(1) * BLOCK_M + tl.arange(0, BLOCK_M)
    col = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, k, BLOCK_K):
        inner = start + tl.arange(0, BLOCK_K)
        from_a = a + row.to(tl.int64)[:, None] * k + inner[None, :]
        from_b = b + inner.to(tl.int64)[:, None] * n + col[None, :]
        left = tl.load(from_a, (row < m)[:, None] & (inner < k)[None, :], other=0.0)
        right = tl.load(from_b, (inner < k)[:, None] & (col < n)[None, :], other=0.0)
        sums = tl.dot(left, right, sums, input_precision="ieee")
    out += row.to(tl.int64)[:, None] * n + col[None, :]
    tl.store(out, sums, (row < m)[:, None] & (col < n)[None, :])
    # END SOLUTION


def solve(a, b, out, batch, m, n, k):
    # SOLUTION: launch it: tiles of a row on axis 0, of a column on axis 1, up to MAX_Z matrices on axis 2
    tiles = (triton.cdiv(n, BLOCK_N), triton.cdiv(m, BLOCK_M))
    for first in range(0, batch, MAX_Z):
        some = slice(first, first + MAX_Z)
        batched_matmul_kernel[(*tiles, min(batch - first, MAX_Z))](
            a[some], b[some], out[some], m, n, k, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, BLOCK_K=BLOCK_K, num_warps=8
        )
    # END SOLUTION
