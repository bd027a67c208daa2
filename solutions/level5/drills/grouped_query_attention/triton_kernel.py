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
    # SOLUTION: walk over the tiles of keys from first to last; return what `out`, `total` and `largest` become
    DIM: tl.constexpr = q.shape[1]
    d = tl.arange(0, DIM)
    for start in range(first, last, BLOCK_N):
        key = start + tl.arange(0, BLOCK_N)
        there = key < seq
        keys = tl.load(k + key[None, :] * DIM + d[:, None], there[None, :], other=0.0)
        scores = tl.dot(q, keys)
        if MASKED:  # past the end there is no key
            scores = tl.where(there[None, :], scores, float("-inf"))
        larger = tl.maximum(largest, tl.max(scores, 1) * scale)
        weights = tl.exp2(scores * scale - larger[:, None])
        factor = tl.exp2(largest - larger)
        total = total * factor + tl.sum(weights, 1)
        values = tl.load(v + key[:, None] * DIM + d[None, :], there[:, None], other=0.0)
        out = tl.dot(weights.to(v.dtype.element_ty), values, out * factor[:, None])
        largest = larger
    return out, total, largest
    # END SOLUTION


@triton.jit(do_not_specialize=("seq", "group"))  # compiled once for all: rows are DIM elements apart
def grouped_kernel(q, k, v, out, seq, group, scale, DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    # SOLUTION: BLOCK_M queries of one head; attend to the whole tiles of the keys that it shares, then to the rest
    head = tl.program_id(0).to(tl.int64) * seq * DIM  # of all sequences, one after the other
    shared = (tl.program_id(0) // group).to(tl.int64) * seq * DIM
    query = tl.program_id(1) * BLOCK_M + tl.arange(0, BLOCK_M)
    place = head + query[:, None] * DIM + tl.arange(0, DIM)[None, :]
    block = tl.load(q + place, (query < seq)[:, None], other=0.0)
    sums = tl.zeros((BLOCK_M, DIM), tl.float32)
    total = tl.zeros((BLOCK_M,), tl.float32)
    largest = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    k += shared
    v += shared
    whole = seq // BLOCK_N * BLOCK_N
    sums, total, largest = attend(block, k, v, sums, total, largest, 0, whole, seq, scale, False, BLOCK_N)
    sums, total, largest = attend(block, k, v, sums, total, largest, whole, seq, seq, scale, True, BLOCK_N)
    tl.store(out + place, (sums / total[:, None]).to(out.dtype.element_ty), (query < seq)[:, None])
    # END SOLUTION


def solve(q, k, v, out, batch, kv_heads, group, seq):
    # SOLUTION: launch grouped_kernel with a program for each head of q (axis 0) and each BLOCK_M queries (axis 1)
    BLOCK_M, BLOCK_N, warps = 128, 64, 8
    heads = batch * kv_heads * group
    if heads * triton.cdiv(seq, BLOCK_M) <= sm_count():  # not enough to do for all: smaller tiles
        BLOCK_M, BLOCK_N, warps = 64, 32, 4
    grid = (heads, triton.cdiv(seq, BLOCK_M))
    scale = LOG2_E / DIM**0.5  # powers of two are quicker than powers of e
    grouped_kernel[grid](q, k, v, out, seq, group, scale, DIM, BLOCK_M, BLOCK_N, num_warps=warps, num_stages=3)
    # END SOLUTION
