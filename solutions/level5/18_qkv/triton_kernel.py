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
    # SOLUTION: this program's tile, in groups of GROUP rows of tiles, and its matrix; sum up, store by heads
    tiles_m = tl.cdiv(tokens, BLOCK_M)
    q_tiles, kv_tiles = tl.cdiv(q_heads * head_dim, BLOCK_N), tl.cdiv(kv_heads * head_dim, BLOCK_N)
    tiles_n = q_tiles + 2 * kv_tiles
    group = tl.program_id(0) // (GROUP * tiles_n)
    number = tl.program_id(0) % (GROUP * tiles_n)  # within the group, which is numbered down its columns
    height = min(tiles_m - group * GROUP, GROUP)  # the last group may have fewer rows of tiles
    tile = number // height  # of q, until it turns out to be one of k or v
    w, out, heads = wq, q, q_heads
    if tile >= q_tiles + kv_tiles:
        tile -= q_tiles + kv_tiles
        w, out, heads = wv, v, kv_heads
    elif tile >= q_tiles:
        tile -= q_tiles
        w, out, heads = wk, k, kv_heads

    columns = heads * head_dim
    row = (group * GROUP + number % height) * BLOCK_M + tl.arange(0, BLOCK_M)
    col = tile * BLOCK_N + tl.arange(0, BLOCK_N)
    term = tl.arange(0, BLOCK_K)
    # Rows past the end begin again at 0: their sums are made of something, and dropped. Only the terms need a mask.
    x_tile = x + (row % tokens).to(tl.int64)[:, None] * dim + term[None, :]
    w_tile = w + (col % columns).to(tl.int64)[None, :] * dim + term[:, None]  # rows of w: columns of its transpose
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, dim, BLOCK_K):
        inside = term < dim - start
        left = tl.load(x_tile, inside[None, :], other=0.0)
        right = tl.load(w_tile, inside[:, None], other=0.0)  # 0 on both sides: 0 * inf is NaN
        sums = tl.dot(left, right, sums)
        x_tile += BLOCK_K
        w_tile += BLOCK_K

    token = (row // seq).to(tl.int64) * heads * seq + row % seq  # [batch, heads, seq, head_dim]: rows of all before
    place = (token[:, None] + (col // head_dim)[None, :] * seq) * head_dim + (col % head_dim)[None, :]
    tl.store(out + place, sums.to(out.dtype.element_ty), (row < tokens)[:, None] & (col < columns)[None, :])
    # END SOLUTION


def solve(x, wq, wk, wv, q, k, v, batch, seq, dim, q_heads, kv_heads, head_dim):
    # SOLUTION: launch one program for each tile of q, of k and of v
    def tiles(BLOCK_M, BLOCK_N):
        columns = triton.cdiv(q_heads * head_dim, BLOCK_N) + 2 * triton.cdiv(kv_heads * head_dim, BLOCK_N)
        return triton.cdiv(batch * seq, BLOCK_M) * columns

    BLOCK_M, BLOCK_N, BLOCK_K, warps = 128, 128, 64, 8
    if tiles(BLOCK_M, BLOCK_N) <= sm_count():  # not enough to do for all: smaller tiles
        BLOCK_M, BLOCK_N, BLOCK_K, warps = 64, 64, 32, 4
    sizes = (batch * seq, seq, dim, q_heads, kv_heads, head_dim)
    blocks = (GROUP, BLOCK_M, BLOCK_N, BLOCK_K)
    qkv_kernel[(tiles(BLOCK_M, BLOCK_N),)](x, wq, wk, wv, q, k, v, *sizes, *blocks, num_warps=warps, num_stages=3)
    # END SOLUTION
