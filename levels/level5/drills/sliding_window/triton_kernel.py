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
    # TODO: walk over the tiles of keys from first to last; return what `out`, `total` and `largest` become
    pass


@triton.jit(do_not_specialize=("seq", "window"))  # compiled once for all: rows are DIM elements apart
def window_kernel(q, k, v, out, seq, window, scale, DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    # TODO: BLOCK_M queries of one head; attend to tiles at the window's start, to whole ones, to those at its end
    pass


def solve(q, k, v, out, batch, heads, seq, window):
    # TODO: launch window_kernel with a program for each head, on axis 0, and each BLOCK_M queries, on axis 1
    pass
