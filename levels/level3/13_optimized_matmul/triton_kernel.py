"""Matrix product: out = a b for row-major a (m x k), b (k x n), out (m x n), in float32 throughout.

Idea   a large tile of out in registers, tiles of a and b that arrive while others are multiplied (num_stages), and
       programs that run at the same time on tiles near each other, so that they share strips of a and b in L2.
Bytes  4 (m k + k n + m n) at least once; each element of a is loaded n / BLOCK_N times, each of b m / BLOCK_M times
Flops  2 m n k
Bound  compute: the float32 units. input_precision="ieee" keeps the Tensor Cores, and their TF32 rounding, out.
"""

import triton
import triton.language as tl

BLOCK_M = 64
BLOCK_N = 64
BLOCK_K = 32
GROUP = 8  # rows of tiles that are walked column by column


@triton.jit
def matmul_kernel(
    a, b, out, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr
):
    # TODO: take the tiles in groups of GROUP rows; add up the products along k; store the tile
    pass


def solve(a, b, out, m, n, k):
    # TODO: launch matmul_kernel with one program for each tile, on a grid of one axis; choose warps and stages
    pass
