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
    # TODO: go to matrix program_id(2) of each tensor; from there on it is the tiled product
    pass


def solve(a, b, out, batch, m, n, k):
    # TODO: launch it: tiles of a row on axis 0, of a column on axis 1, up to MAX_Z matrices on axis 2
    pass
