"""Projections of attention: q = x wq^T, k = x wk^T, v = x wv^T in bfloat16 or float16, sums in float32.

x is (batch seq x dim), wq is (q_heads head_dim x dim), wk and wv are (kv_heads head_dim x dim); q, k, v are
[batch, heads, seq, head_dim].

Idea   one matmul over the columns of q, k and v side by side: a program belongs to one of the three, and finds out
       which from its number. Weights lie as nn.Linear holds them, a row for each output. What is new is the end, the
       *epilogue*: each sum is stored where its head wants it, so that nobody transposes.
Bytes  2 (tokens dim + columns dim + tokens columns) at least, of tokens = batch seq and all columns of q, k and v
Flops  2 tokens dim columns
Bound  compute: the Tensor Cores.
"""

import triton
import triton.language as tl

from grader.cuda import sm_count

GROUP = 8  # rows of tiles in a group


@triton.jit
def qkv_kernel(
    x,
    wq,
    wk,
    wv,
    q,
    k,
    v,
    tokens,
    seq,
    dim,
    q_heads,
    kv_heads,
    head_dim,
    GROUP: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    # TODO: this program's tile, in groups of GROUP rows of tiles, and its matrix; sum up, store by heads
    pass


def solve(x, wq, wk, wv, q, k, v, batch, seq, dim, q_heads, kv_heads, head_dim):
    # TODO: launch one program for each tile of q, of k and of v
    pass
