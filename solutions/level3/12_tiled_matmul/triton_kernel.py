"""Matrix product: out = a b for row-major a (m x k), b (k x n), out (m x n).

Idea   a program owns a tile of out and walks along k in steps of BLOCK_K: a tile of a, a tile of b, tl.dot. The
       compiler takes the tiles through shared memory, sets the barriers, and loads the next ones meanwhile.
Bytes  4 (m k + k n + m n) at least once; each element of a is loaded n / BLOCK_N times, each of b m / BLOCK_M times
Flops  2 m n k
Bound  compute: float32 multiply-adds. (Tensor Cores would round the inputs to TF32 first; "ieee" forbids it.)
"""

import triton
import triton.language as tl

BLOCK_M = 64
BLOCK_N = 64
BLOCK_K = 16


@triton.jit
def matmul_kernel(a, b, out, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    # SOLUTION: axis 0 of the grid counts tiles along a row of out: add up the products of the tiles along k, store
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


def solve(a, b, out, m, n, k):
    # SOLUTION: launch matmul_kernel with one program for each tile of BLOCK_M x BLOCK_N elements of out
    grid = (triton.cdiv(n, BLOCK_N), triton.cdiv(m, BLOCK_M))
    matmul_kernel[grid](
        a, b, out, m, n, k, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, BLOCK_K=BLOCK_K, num_warps=8, num_stages=3
    )
    # END SOLUTION
