"""Sliding-window attention: out = softmax(q k^T / sqrt(DIM)) v, a query sees the last `window` keys up to its own.

q, k, v and out are [batch, heads, seq, DIM] in float16 or bfloat16, DIM = 64.

Idea   a program takes 128 queries past the tiles in which at least one of them sees a key, from the first key of its
       first query to the last query's own. Work grows with seq * window, no longer with seq^2.
Bytes  8 batch heads seq DIM at least; a key and its value are read by about window / 128 + 1 programs
Flops  4 batch heads seq window DIM, a little less for the first queries, more for tiles that are seen in part
Bound  compute: the Tensor Cores, and the exponentials between their two products.
"""

import triton
import triton.language as tl

from grader.cuda import sm_count

LOG2_E = 1.4426950408889634
DIM = 64


@triton.jit
def attend(
    q,
    k,
    v,
    out,
    total,
    largest,
    query,
    first,
    last,
    seq,
    window,
    scale,
    MASKED: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # SOLUTION: walk over the tiles of keys from first to last; return what `out`, `total` and `largest` become
    DIM: tl.constexpr = q.shape[1]
    d = tl.arange(0, DIM)
    for start in range(first, last, BLOCK_N):
        key = start + tl.arange(0, BLOCK_N)
        there = key < seq
        keys = tl.load(k + key[None, :] * DIM + d[:, None], there[None, :], other=0.0)
        scores = tl.dot(q, keys)
        if MASKED:  # a key past the end comes after every query
            behind = query[:, None] - key[None, :]
            scores = tl.where((behind >= 0) & (behind < window), scores, float("-inf"))
        larger = tl.maximum(largest, tl.max(scores, 1) * scale)
        base = tl.where(larger == float("-inf"), 0.0, larger)  # no key so far: (-inf) - (-inf) would be NaN
        weights = tl.exp2(scores * scale - base[:, None])
        factor = tl.exp2(largest - base)
        total = total * factor + tl.sum(weights, 1)
        values = tl.load(v + key[:, None] * DIM + d[None, :], there[:, None], other=0.0)
        out = tl.dot(weights.to(v.dtype.element_ty), values, out * factor[:, None])
        largest = larger
    return out, total, largest
    # END SOLUTION


@triton.jit(do_not_specialize=("seq", "window"))  # compiled once for all: rows are DIM elements apart
def window_kernel(q, k, v, out, seq, window, scale, DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    # SOLUTION: BLOCK_M queries of one head; attend to tiles at the window's start, to whole ones, to those at its end
    head = tl.program_id(0).to(tl.int64) * seq * DIM
    first = tl.program_id(1) * BLOCK_M
    query = first + tl.arange(0, BLOCK_M)
    place = head + query[:, None] * DIM + tl.arange(0, DIM)[None, :]
    block = tl.load(q + place, (query < seq)[:, None], other=0.0)
    sums = tl.zeros((BLOCK_M, DIM), tl.float32)
    total = tl.zeros((BLOCK_M,), tl.float32)
    largest = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    k += head
    v += head
    begin = tl.maximum(first - window + 1, 0) // BLOCK_N * BLOCK_N  # the tile of the first key that anybody here sees
    # From here on the last query sees everything, and all do up to `first`. In a narrow window there is no such tile.
    whole = tl.cdiv(tl.maximum(first + BLOCK_M - window, 0), BLOCK_N) * BLOCK_N
    whole = tl.minimum(whole, first)
    last = min(first + BLOCK_M, seq)
    sums, total, largest = attend(
        block, k, v, sums, total, largest, query, begin, whole, seq, window, scale, True, BLOCK_N
    )
    sums, total, largest = attend(
        block, k, v, sums, total, largest, query, whole, first, seq, window, scale, False, BLOCK_N
    )
    sums, total, largest = attend(
        block, k, v, sums, total, largest, query, first, last, seq, window, scale, True, BLOCK_N
    )
    tl.store(out + place, (sums / total[:, None]).to(out.dtype.element_ty), (query < seq)[:, None])
    # END SOLUTION


def solve(q, k, v, out, batch, heads, seq, window):
    # SOLUTION: launch window_kernel with a program for each head, on axis 0, and each BLOCK_M queries, on axis 1
    BLOCK_M, BLOCK_N, warps = 128, 64, 8  # the first a multiple of the second
    if batch * heads * triton.cdiv(seq, BLOCK_M) <= sm_count():  # not enough to do for all: smaller tiles
        BLOCK_M, BLOCK_N, warps = 64, 32, 4
    grid = (batch * heads, triton.cdiv(seq, BLOCK_M))
    scale = LOG2_E / DIM**0.5  # powers of two are quicker than powers of e
    window_kernel[grid](q, k, v, out, seq, window, scale, DIM, BLOCK_M, BLOCK_N, num_warps=warps, num_stages=3)
    # END SOLUTION
