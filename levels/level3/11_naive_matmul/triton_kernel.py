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
    # TODO: axis 0 of the grid counts blocks along a row of out: add up k outer products, store the block
    pass


def solve(a, b, out, m, n, k):
    # TODO: launch matmul_kernel with one program for each block of BLOCK_M x BLOCK_N elements of out
    pass
