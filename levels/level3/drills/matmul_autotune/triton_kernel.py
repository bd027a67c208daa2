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
    # TODO: return the list of triton.Config to try: BLOCK_M, BLOCK_N, BLOCK_K, num_warps, num_stages
    pass


def worth_trying(configs, sizes, **others):
    # TODO: return those of `configs` that are to be tried for sizes["m"], sizes["n"], sizes["k"]
    pass


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
    # TODO: from the program's number its tile, in groups of GROUP_M rows of tiles; then as in matmul_mixed
    pass


def solve(a, b, out, m, n, k):
    # TODO: launch one program for each tile of out; how many that are depends on the configuration
    pass
