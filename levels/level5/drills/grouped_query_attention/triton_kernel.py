"""Grouped-query attention: out = softmax(q k^T / sqrt(DIM)) v, where `group` heads of q share one head of k and v.

q and out are [batch, kv_heads * group, seq, DIM] in float16 or bfloat16, k and v are [batch, kv_heads, seq, DIM],
DIM = 64.

Idea   fused attention in which sharing is a division: head h of q reads head h / group of k and v, where it lies.
       Nothing is repeated in memory. Programs of heads that share are neighbours, and meet in the L2 cache.
Bytes  4 batch (group + 1) kv_heads seq DIM at least, with keys and values repeated 8 batch group kv_heads seq DIM
Flops  4 batch kv_heads group seq^2 DIM: sharing saves bytes, not arithmetic
Bound  compute: the Tensor Cores, and the exponentials between their two products.
"""

import triton
import triton.language as tl

from grader.cuda import sm_count

LOG2_E = 1.4426950408889634
DIM = 64


@triton.jit
def attend(q, k, v, out, total, largest, first, last, seq, scale, MASKED: tl.constexpr, BLOCK_N: tl.constexpr):
    # TODO: walk over the tiles of keys from first to last; return what `out`, `total` and `largest` become
    pass


@triton.jit(do_not_specialize=("seq", "group"))  # compiled once for all: rows are DIM elements apart
def grouped_kernel(q, k, v, out, seq, group, scale, DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    # TODO: BLOCK_M queries of one head; attend to the whole tiles of the keys that it shares, then to the rest
    pass


def solve(q, k, v, out, batch, kv_heads, group, seq):
    # TODO: launch grouped_kernel with a program for each head of q (axis 0) and each BLOCK_M queries (axis 1)
    pass
