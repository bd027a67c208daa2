"""Causal attention: out = softmax(q k^T / sqrt(DIM)) v for each head, a query sees the keys up to its own.

q, k, v and out are [batch, heads, seq, DIM] in float16 or bfloat16, DIM = 64.

Idea   a program takes 128 queries past tiles of 64 keys, with an online softmax. Tiles left of the diagonal need no
       mask, tiles right of it are not visited at all: half of the work is not done. The longest begin first.
Bytes  8 batch heads seq DIM at least; a key and its value are read by seq / 256 programs on average
Flops  2 batch heads seq (seq + 1) DIM, half of those without a mask
Bound  compute: the Tensor Cores, and the exponentials between their two products.
"""

import triton
import triton.language as tl

from grader.cuda import sm_count

LOG2_E = 1.4426950408889634
DIM = 64


@triton.jit
def attend(q, k, v, out, total, largest, query, first, last, seq, scale, MASKED: tl.constexpr, BLOCK_N: tl.constexpr):
    """The walk over the tiles of keys from first to last, given; the mask is yours."""
    DIM: tl.constexpr = q.shape[1]
    d = tl.arange(0, DIM)
    for start in range(first, last, BLOCK_N):
        key = start + tl.arange(0, BLOCK_N)
        there = key < seq
        keys = tl.load(k + key[None, :] * DIM + d[:, None], there[None, :], other=0.0)
        scores = tl.dot(q, keys)
        # SOLUTION: if MASKED, make the scores of keys that a query does not see -inf
        if MASKED:  # a key past the end comes after every query
            scores = tl.where(key[None, :] <= query[:, None], scores, float("-inf"))
        # END SOLUTION
        larger = tl.maximum(largest, tl.max(scores, 1) * scale)
        weights = tl.exp2(scores * scale - larger[:, None])
        factor = tl.exp2(largest - larger)
        total = total * factor + tl.sum(weights, 1)
        values = tl.load(v + key[:, None] * DIM + d[None, :], there[:, None], other=0.0)
        out = tl.dot(weights.to(v.dtype.element_ty), values, out * factor[:, None])
        largest = larger
    return out, total, largest


@triton.jit(do_not_specialize=("seq",))  # compiled once, whatever divides seq: rows are DIM elements apart
def causal_kernel(q, k, v, out, seq, scale, DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    # SOLUTION: BLOCK_M queries of one head; attend to the tiles before them, then to those on the diagonal; store
    head = tl.program_id(0).to(tl.int64) * seq * DIM
    first = (tl.num_programs(1) - 1 - tl.program_id(1)) * BLOCK_M  # the longest walks begin first
    query = first + tl.arange(0, BLOCK_M)
    place = head + query[:, None] * DIM + tl.arange(0, DIM)[None, :]
    block = tl.load(q + place, (query < seq)[:, None], other=0.0)
    sums = tl.zeros((BLOCK_M, DIM), tl.float32)
    total = tl.zeros((BLOCK_M,), tl.float32)
    largest = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    k += head
    v += head
    last = min(first + BLOCK_M, seq)  # nobody here sees a key from here on
    sums, total, largest = attend(block, k, v, sums, total, largest, query, 0, first, seq, scale, False, BLOCK_N)
    sums, total, largest = attend(block, k, v, sums, total, largest, query, first, last, seq, scale, True, BLOCK_N)
    tl.store(out + place, (sums / total[:, None]).to(out.dtype.element_ty), (query < seq)[:, None])
    # END SOLUTION


def solve(q, k, v, out, batch, heads, seq):
    # SOLUTION: launch causal_kernel with a program for each head, on axis 0, and each BLOCK_M queries, on axis 1
    BLOCK_M, BLOCK_N, warps = 128, 64, 8  # the first a multiple of the second
    if batch * heads * triton.cdiv(seq, BLOCK_M) <= sm_count():  # not enough to do for all: smaller tiles
        BLOCK_M, BLOCK_N, warps = 64, 32, 4
    grid = (batch * heads, triton.cdiv(seq, BLOCK_M))
    scale = LOG2_E / DIM**0.5  # powers of two are quicker than powers of e
    causal_kernel[grid](q, k, v, out, seq, scale, DIM, BLOCK_M, BLOCK_N, num_warps=warps, num_stages=3)
    # END SOLUTION
