"""RoPE: elements d and d + half_dim of each head of q and k are a point in the plane, turned by the angle d of its
position. q and k are (batch x seq x heads x 2 half_dim), cos and sin are (seq x half_dim).

Idea   a program owns a token: the heads of q and k that share their angles. Cosines and sines are loaded once, as a
       row that is broadcast over a block of heads; both halves of these heads are loaded, turned and stored.
Bytes  8 half_dim (q_heads + kv_heads) for each token in bfloat16 (one read, one write); cos and sin are small
Flops  6 half_dim (q_heads + kv_heads) for each token (four products, two sums for a pair)
Bound  memory: less than a flop for each byte. The copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def rotate(x, out, heads, half_dim, c, s, HEADS: tl.constexpr, HALF: tl.constexpr):
    # TODO: turn the pairs of all heads of one token, HEADS of them at a time; c and s are rows of (1, HALF)
    pass


@triton.jit
def rope_kernel(
    q,
    k,
    cos,
    sin,
    q_out,
    k_out,
    seq,
    q_heads,
    kv_heads,
    half_dim,
    Q_HEADS: tl.constexpr,
    KV_HEADS: tl.constexpr,
    HALF: tl.constexpr,
):
    # TODO: load this token's cosines and sines, then rotate the heads of q and those of k
    pass


def solve(q, k, cos, sin, q_out, k_out, batch, seq, q_heads, kv_heads, half_dim):
    # TODO: launch rope_kernel with one program for each token, and at most 32 heads in a block
    pass
