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
    # SOLUTION: take the tiles in groups of GROUP rows; add up the products along k; store the tile
    across, down = tl.cdiv(n, BLOCK_N), tl.cdiv(m, BLOCK_M)
    group = tl.program_id(0) // (GROUP * across)
    rows = tl.minimum(down - group * GROUP, GROUP)  # the last group may be lower
    within = tl.program_id(0) % (GROUP * across)
    row = (group * GROUP + within % rows) * BLOCK_M + tl.arange(0, BLOCK_M)
    col = within // rows * BLOCK_N + tl.arange(0, BLOCK_N)

    # Past an edge of out, any row will do: what comes of it is not stored. Only k needs a mask.
    inner = tl.arange(0, BLOCK_K)
    from_a = a + (row % m).to(tl.int64)[:, None] * k + inner[None, :]
    from_b = b + inner.to(tl.int64)[:, None] * n + (col % n)[None, :]
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, k, BLOCK_K):
        left = tl.load(from_a, (inner < k - start)[None, :], other=0.0)
        right = tl.load(from_b, (inner < k - start)[:, None], other=0.0)
        sums = tl.dot(left, right, sums, input_precision="ieee")
        from_a += BLOCK_K
        from_b += BLOCK_K * n
    out += row.to(tl.int64)[:, None] * n + col[None, :]
    tl.store(out, sums, (row < m)[:, None] & (col < n)[None, :])
    # END SOLUTION


def solve(a, b, out, m, n, k):
    # SOLUTION: launch matmul_kernel with one program for each tile, on a grid of one axis; choose warps and stages
    grid = (triton.cdiv(m, BLOCK_M) * triton.cdiv(n, BLOCK_N),)
    tile = {"BLOCK_M": BLOCK_M, "BLOCK_N": BLOCK_N, "BLOCK_K": BLOCK_K, "GROUP": GROUP}
    matmul_kernel[grid](a, b, out, m, n, k, **tile, num_warps=4, num_stages=3)
    # END SOLUTION
