"""Attention in three plain kernels: scores = q k^T / sqrt(dim), their softmax row by row, out = weights v.

Idea   two tiled matrix products as in level 3, with a row softmax as in level 2 between them. What they hand on is a
       seq x seq matrix for each head, in float32 whatever the type of q, k and v. Half types are multiplied as they
       are, on Tensor Cores; the weights are rounded to that type just before.
Bytes  q, k, v and out once, and 16 for each score: written, read, written as a weight, read
Flops  4 batch heads seq^2 dim, and a few for each score
Bound  in half types memory: at dim = 64 there are 256 flops for the 16 bytes of each score, where the card could do
       2600. In float32 the products, at the rate of the units that do it.
"""

import torch
import triton
import triton.language as tl

BLOCK = 64
BLOCK_K = 32


@triton.jit
def scores_kernel(q, k, scores, seq, dim, scale, BLOCK: tl.constexpr, BLOCK_K: tl.constexpr):
    # TODO: a tile of scale * q k^T of one head: rows of q along one side, rows of k along the other
    pass


@triton.jit
def softmax_kernel(scores, seq, BLOCK: tl.constexpr):
    # TODO: the softmax of one row, in place
    pass


@triton.jit
def weighted_sum_kernel(weights, v, out, seq, dim, BLOCK: tl.constexpr, BLOCK_K: tl.constexpr):
    # TODO: a tile of weights v of one head, the sum in float32
    pass


def solve(q, k, v, out, batch, heads, seq, dim):
    # TODO: make room for the scores, in float32; launch the three kernels one after the other
    pass
