"""Matrix product in mixed precision: out = a b, all row-major in float16 or bfloat16, sums in float32.

Idea   the best tile depends on card, type and sizes, so several are tried once, and the fastest is kept. And programs
       begin in the order of their numbers. Numbered along groups of a few rows of tiles, those that run at the same
       time make a block of out that is about square, and find in the L2 cache what their neighbours have read.
Bytes  2 (m k + k n + m n) at least; the L2 cache delivers 2 m n k (1 / BLOCK_M + 1 / BLOCK_N)
Flops  2 m n k
Bound  compute: the Tensor Cores. At 8192^3 the three matrices are 403 MB, far more than the L2 cache holds: in a bad
       order memory joins in.
"""

import triton
import triton.language as tl

GROUP_M = 8  # rows of tiles in a group


def configurations():
    # SOLUTION: return the list of triton.Config to try: BLOCK_M, BLOCK_N, BLOCK_K, num_warps, num_stages
    tried = [
        (64, 64, 32, 4, 3),  # first: for small problems, and where nothing can be timed
        (128, 128, 64, 4, 4),
        (128, 128, 64, 8, 3),
        (128, 256, 64, 8, 3),
        (128, 256, 64, 8, 4),
        (256, 128, 64, 8, 3),
    ]
    return [
        triton.Config({"BLOCK_M": rows, "BLOCK_N": cols, "BLOCK_K": terms}, num_warps=warps, num_stages=stages)
        for rows, cols, terms, warps, stages in tried
    ]
    # END SOLUTION


def worth_trying(configs, sizes, **others):
    # SOLUTION: return those of `configs` that are to be tried for sizes["m"], sizes["n"], sizes["k"]
    # One takes about a second to compile and a tenth of a second to time: too much for what runs in microseconds.
    return configs if sizes["m"] * sizes["n"] * sizes["k"] >= 2**30 else configs[:1]
    # END SOLUTION


@triton.autotune(configurations(), key=["m", "n", "k"], prune_configs_by={"early_config_prune": worth_trying})
@triton.jit
def matmul_kernel(
    a,
    b,
    out,
    m,
    n,
    k,
    GROUP_M: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    # SOLUTION: from the program's number its tile, in groups of GROUP_M rows of tiles; then as in matmul_mixed
    tiles_m, tiles_n = tl.cdiv(m, BLOCK_M), tl.cdiv(n, BLOCK_N)
    group = tl.program_id(0) // (GROUP_M * tiles_n)
    first = group * GROUP_M
    height = min(tiles_m - first, GROUP_M)  # of the group: the last may have fewer rows
    number = tl.program_id(0) % (GROUP_M * tiles_n)  # within the group, which is numbered down its columns
    row = (first + number % height) * BLOCK_M + tl.arange(0, BLOCK_M)
    col = number // height * BLOCK_N + tl.arange(0, BLOCK_N)

    term = tl.arange(0, BLOCK_K)
    a_tile = a + row.to(tl.int64)[:, None] * k + term[None, :]
    b_tile = b + term.to(tl.int64)[:, None] * n + col[None, :]
    b_step = tl.cast(n, tl.int64) * BLOCK_K
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, k, BLOCK_K):
        left = k - start
        x = tl.load(a_tile, (row < m)[:, None] & (term < left)[None, :], other=0.0)
        y = tl.load(b_tile, (term < left)[:, None] & (col < n)[None, :], other=0.0)
        sums = tl.dot(x, y, sums)
        a_tile += BLOCK_K
        b_tile += b_step
    inside = (row < m)[:, None] & (col < n)[None, :]
    tl.store(out + row.to(tl.int64)[:, None] * n + col[None, :], sums.to(out.dtype.element_ty), inside)
    # END SOLUTION


def solve(a, b, out, m, n, k):
    # SOLUTION: launch one program for each tile of out; how many that are depends on the configuration
    def grid(config):
        return (triton.cdiv(m, config["BLOCK_M"]) * triton.cdiv(n, config["BLOCK_N"]),)

    matmul_kernel[grid](a, b, out, m, n, k, GROUP_M)
    # END SOLUTION
