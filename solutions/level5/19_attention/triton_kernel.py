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
    # SOLUTION: a tile of scale * q k^T of one head: rows of q along one side, rows of k along the other
    tiles = tl.cdiv(seq, BLOCK)
    head = (tl.program_id(0) // tiles).to(tl.int64)
    query = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    key = tl.program_id(0) % tiles * BLOCK + tl.arange(0, BLOCK)
    q += head * seq * dim
    k += head * seq * dim
    sums = tl.zeros((BLOCK, BLOCK), tl.float32)
    for start in range(0, dim, BLOCK_K):
        d = start + tl.arange(0, BLOCK_K)
        left = tl.load(q + query[:, None] * dim + d[None, :], (query < seq)[:, None] & (d < dim)[None, :], other=0.0)
        right = tl.load(k + key[None, :] * dim + d[:, None], (key < seq)[None, :] & (d < dim)[:, None], other=0.0)
        sums = tl.dot(left, right, sums, input_precision="ieee")
    place = head * seq * seq + query.to(tl.int64)[:, None] * seq + key[None, :]
    tl.store(scores + place, sums * scale, (query < seq)[:, None] & (key < seq)[None, :])
    # END SOLUTION


@triton.jit
def softmax_kernel(scores, seq, BLOCK: tl.constexpr):
    # SOLUTION: the softmax of one row, in place
    key = tl.arange(0, BLOCK)
    row = scores + tl.program_id(0).to(tl.int64) * seq + key
    values = tl.load(row, key < seq, other=float("-inf"))
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(row, powers / tl.sum(powers, 0), key < seq)
    # END SOLUTION


@triton.jit
def weighted_sum_kernel(weights, v, out, seq, dim, BLOCK: tl.constexpr, BLOCK_K: tl.constexpr):
    # SOLUTION: a tile of weights v of one head, the sum in float32
    tiles = tl.cdiv(dim, BLOCK)
    head = (tl.program_id(0) // tiles).to(tl.int64)
    query = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    d = tl.program_id(0) % tiles * BLOCK + tl.arange(0, BLOCK)
    weights += head * seq * seq + query.to(tl.int64)[:, None] * seq
    v += head * seq * dim
    sums = tl.zeros((BLOCK, BLOCK), tl.float32)
    for start in range(0, seq, BLOCK_K):
        key = start + tl.arange(0, BLOCK_K)
        left = tl.load(weights + key[None, :], (query < seq)[:, None] & (key < seq)[None, :], other=0.0)
        right = tl.load(v + key[:, None] * dim + d[None, :], (key < seq)[:, None] & (d < dim)[None, :], other=0.0)
        sums = tl.dot(left.to(v.dtype.element_ty), right, sums, input_precision="ieee")
    place = out + head * seq * dim + query[:, None] * dim + d[None, :]
    tl.store(place, sums.to(out.dtype.element_ty), (query < seq)[:, None] & (d < dim)[None, :])
    # END SOLUTION


def solve(q, k, v, out, batch, heads, seq, dim):
    # SOLUTION: make room for the scores, in float32; launch the three kernels one after the other
    scores = q.new_empty(batch * heads, seq, seq, dtype=torch.float32)
    tiles = triton.cdiv(seq, BLOCK)
    scores_kernel[(batch * heads * tiles, tiles)](q, k, scores, seq, dim, dim**-0.5, BLOCK, BLOCK_K)
    softmax_kernel[(batch * heads * seq,)](scores, seq, triton.next_power_of_2(seq))
    grid = (batch * heads * triton.cdiv(dim, BLOCK), tiles)
    weighted_sum_kernel[grid](scores, v, out, seq, dim, BLOCK, BLOCK_K)
    # END SOLUTION
