"""Causal attention in one kernel: out = softmax(q k^T / sqrt(dim)) v for each head, a query sees keys up to its own.

Idea   a program owns a block of queries and walks over the keys in tiles. Scores exist for one tile at a time, in
       registers. The softmax is online: largest score, sum and weighted sum of the tiles so far are enough, and where
       the largest grows, both sums are scaled down to match. Tiles left of the diagonal need no mask, tiles right of
       it are not visited.
Bytes  8 batch heads seq dim at least (q, k, v and out once); k and v are read seq / (2 dim) times, mostly from the L2
       cache. A seq x seq matrix would cost 8 batch heads seq^2 more, even if it were kept in half precision.
Flops  2 batch heads seq^2 dim: two products, half of each masked
Bound  compute: the Tensor Cores, and the exponentials between their two products.
"""

import triton
import triton.language as tl

LOG2_E = 1.4426950408889634


@triton.jit
def attend(q, k, v, out, total, largest, query, first, last, seq, scale, MASKED: tl.constexpr, BLOCK_N: tl.constexpr):
    # TODO: walk over the tiles of keys from first to last; return what `out`, `total` and `largest` become
    pass


@triton.jit(do_not_specialize=("seq",))  # compiled once, whatever divides seq: rows are DIM elements apart
def attention_kernel(q, k, v, out, seq, scale, DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    # TODO: load BLOCK_M queries of one head; attend to the keys before them, then to those on the diagonal; store
    pass


def solve(q, k, v, out, batch, heads, seq, dim):
    # TODO: launch attention_kernel with one program for each BLOCK_M queries of each head
    pass
