"""Matrix product: out = a b for row-major a (m x k), b (k x n), out (m x n).

Idea   a program owns a block of out and walks along k, one step at a time: a column of a and a row of b give k outer
       products, and their sum is the block. Each value that was loaded serves a whole row, or column, of the block.
Bytes  4 (m k + k n + m n) at least once; each element of a is loaded n / BLOCK_N times, each of b m / BLOCK_M times
Flops  2 m n k
Bound  compute by its bytes and flops. In fact the loads: a column of a is one float from each of BLOCK_M rows.
"""

import triton
import triton.language as tl

BLOCK_M = 32
BLOCK_N = 64


@triton.jit
def matmul_kernel(a, b, out, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    # SOLUTION: axis 0 of the grid counts blocks along a row of out: add up k outer products, store the block
    row = tl.program_id(1) * BLOCK_M + tl.arange(0, BLOCK_M)
    col = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    a += row.to(tl.int64) * k  # BLOCK_M pointers, each to the first element of a row
    b += col
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for _ in range(k):
        column = tl.load(a, row < m, other=0.0)
        line = tl.load(b, col < n, other=0.0)
        sums += column[:, None] * line[None, :]
        a += 1
        b += n
    out += row.to(tl.int64)[:, None] * n + col[None, :]
    tl.store(out, sums, (row < m)[:, None] & (col < n)[None, :])
    # END SOLUTION


def solve(a, b, out, m, n, k):
    # SOLUTION: launch matmul_kernel with one program for each block of BLOCK_M x BLOCK_N elements of out
    grid = (triton.cdiv(n, BLOCK_N), triton.cdiv(m, BLOCK_M))
    matmul_kernel[grid](a, b, out, m, n, k, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, num_warps=4)
    # END SOLUTION
