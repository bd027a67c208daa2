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
    # TODO: axis 0 of the grid counts tiles along a row of out: add up the products of the tiles along k, store
    pass


def solve(a, b, out, m, n, k):
    # TODO: launch matmul_kernel with one program for each tile of BLOCK_M x BLOCK_N elements of out
    pass
