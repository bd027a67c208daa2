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
    # SOLUTION: walk over the tiles of keys from first to last; return what `out`, `total` and `largest` become
    DIM: tl.constexpr = q.shape[1]
    d = tl.arange(0, DIM)
    for start in range(first, last, BLOCK_N):
        key = start + tl.arange(0, BLOCK_N)
        if MASKED:
            keys = tl.load(k + key[None, :] * DIM + d[:, None], (key < seq)[None, :], other=0.0)
        else:
            keys = tl.load(k + key[None, :] * DIM + d[:, None])
        scores = tl.dot(q, keys)
        if MASKED:  # a key past the end lies behind every query
            scores = tl.where(key[None, :] <= query[:, None], scores, float("-inf"))
        larger = tl.maximum(largest, tl.max(scores, 1) * scale)
        weights = tl.exp2(scores * scale - larger[:, None])
        factor = tl.exp2(largest - larger)
        total = total * factor + tl.sum(weights, 1)
        if MASKED:
            values = tl.load(v + key[:, None] * DIM + d[None, :], (key < seq)[:, None], other=0.0)
        else:
            values = tl.load(v + key[:, None] * DIM + d[None, :])
        out = tl.dot(weights.to(v.dtype.element_ty), values, out * factor[:, None])
        largest = larger
    return out, total, largest
    # END SOLUTION


@triton.jit(do_not_specialize=("seq",))  # compiled once, whatever divides seq: rows are DIM elements apart
def attention_kernel(q, k, v, out, seq, scale, DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    # SOLUTION: load BLOCK_M queries of one head; attend to the keys before them, then to those on the diagonal; store
    blocks = tl.cdiv(seq, BLOCK_M)
    head = tl.program_id(0) // blocks
    first = (blocks - 1 - tl.program_id(0) % blocks) * BLOCK_M  # the longest walks begin first
    base = head.to(tl.int64) * seq * DIM
    query = first + tl.arange(0, BLOCK_M)
    place = base + query[:, None] * DIM + tl.arange(0, DIM)[None, :]
    block = tl.load(q + place, (query < seq)[:, None], other=0.0)
    sums = tl.zeros((BLOCK_M, DIM), tl.float32)
    total = tl.zeros((BLOCK_M,), tl.float32)
    largest = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    k += base
    v += base
    last = min(first + BLOCK_M, seq)
    sums, total, largest = attend(block, k, v, sums, total, largest, query, 0, first, seq, scale, False, BLOCK_N)
    sums, total, largest = attend(block, k, v, sums, total, largest, query, first, last, seq, scale, True, BLOCK_N)
    tl.store(out + place, (sums / total[:, None]).to(out.dtype.element_ty), (query < seq)[:, None])
    # END SOLUTION


def solve(q, k, v, out, batch, heads, seq, dim):
    # SOLUTION: launch attention_kernel with one program for each BLOCK_M queries of each head
    BLOCK_M, BLOCK_N = dim, 64  # queries and keys of a tile, the one a multiple of the other
    grid = (batch * heads * triton.cdiv(seq, BLOCK_M),)
    scale = LOG2_E / dim**0.5  # powers of two are quicker than powers of e
    attention_kernel[grid](q, k, v, out, seq, scale, dim, BLOCK_M, BLOCK_N, num_warps=BLOCK_M // 16, num_stages=3)
    # END SOLUTION
