"""Matrix product in mixed precision: out = a b, all row-major in float16 or bfloat16, sums in float32.

Idea   a program makes 128 x 256 outputs in steps of 64 terms: load a tile of a and one of b, and let tl.dot add their
       product to sums in float32. For half-precision tiles the compiler makes that Tensor Core instructions, and with
       num_stages it has the tiles of coming steps copied to shared memory meanwhile.
Bytes  2 (m k + k n + m n) at least; each element of a is read n / 256 times, each of b m / 128 times, most of that
       from the L2 cache
Flops  2 m n k
Bound  compute: the Tensor Cores.
"""

import triton
import triton.language as tl

from grader.cuda import sm_count


@triton.jit
def matmul_kernel(a, b, out, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    # SOLUTION: axis 0 of the grid counts tiles along a row of out, axis 1 along a column: sum up in float32, store
    row = tl.program_id(1) * BLOCK_M + tl.arange(0, BLOCK_M)
    col = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    term = tl.arange(0, BLOCK_K)
    a_tile = a + row.to(tl.int64)[:, None] * k + term[None, :]
    b_tile = b + term.to(tl.int64)[:, None] * n + col[None, :]
    b_step = tl.cast(n, tl.int64) * BLOCK_K
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, k, BLOCK_K):
        left = k - start
        x = tl.load(a_tile, (row < m)[:, None] & (term < left)[None, :], other=0.0)
        y = tl.load(b_tile, (term < left)[:, None] & (col < n)[None, :], other=0.0)  # 0 on both sides: 0 * inf is NaN
        sums = tl.dot(x, y, sums)
        a_tile += BLOCK_K
        b_tile += b_step
    inside = (row < m)[:, None] & (col < n)[None, :]
    tl.store(out + row.to(tl.int64)[:, None] * n + col[None, :], sums.to(out.dtype.element_ty), inside)
    # END SOLUTION


def solve(a, b, out, m, n, k):
    # SOLUTION: launch matmul_kernel with one program for each BLOCK_M x BLOCK_N outputs
    BLOCK_M, BLOCK_N, BLOCK_K, warps = 128, 256, 64, 8
    if triton.cdiv(m, BLOCK_M) * triton.cdiv(n, BLOCK_N) <= sm_count():  # not enough to do for all: smaller tiles
        BLOCK_M, BLOCK_N, BLOCK_K, warps = 64, 64, 32, 4
    grid = (triton.cdiv(n, BLOCK_N), triton.cdiv(m, BLOCK_M))
    matmul_kernel[grid](a, b, out, m, n, k, BLOCK_M, BLOCK_N, BLOCK_K, num_warps=warps, num_stages=3)
    # END SOLUTION
