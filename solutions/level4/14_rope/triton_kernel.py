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
    # SOLUTION: turn the pairs of all heads of one token, HEADS of them at a time; c and s are rows of (1, HALF)
    d = tl.arange(0, HALF)
    for start in range(0, heads, HEADS):
        head = start + tl.arange(0, HEADS)
        mask = (head < heads)[:, None] & (d < half_dim)[None, :]
        place = head[:, None] * (2 * half_dim) + d[None, :]
        partner = place + half_dim  # half a head further on
        a = tl.load(x + place, mask).to(tl.float32)
        b = tl.load(x + partner, mask).to(tl.float32)
        tl.store(out + place, a * c - b * s, mask)
        tl.store(out + partner, b * c + a * s, mask)
    # END SOLUTION


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
    # SOLUTION: load this token's cosines and sines, then rotate the heads of q and those of k
    token = tl.program_id(0).to(tl.int64)  # of all batches
    position = tl.program_id(0) % seq
    d = tl.arange(0, HALF)
    angle = position.to(tl.int64) * half_dim + d
    c = tl.load(cos + angle, d < half_dim).to(tl.float32)[None, :]
    s = tl.load(sin + angle, d < half_dim).to(tl.float32)[None, :]
    q_start = token * q_heads * (2 * half_dim)
    k_start = token * kv_heads * (2 * half_dim)
    rotate(q + q_start, q_out + q_start, q_heads, half_dim, c, s, Q_HEADS, HALF)
    rotate(k + k_start, k_out + k_start, kv_heads, half_dim, c, s, KV_HEADS, HALF)
    # END SOLUTION


def solve(q, k, cos, sin, q_out, k_out, batch, seq, q_heads, kv_heads, half_dim):
    # SOLUTION: launch rope_kernel with one program for each token, and at most 32 heads in a block
    HALF = triton.next_power_of_2(half_dim)
    heads = [min(32, triton.next_power_of_2(number)) for number in (q_heads, kv_heads)]
    sizes = (seq, q_heads, kv_heads, half_dim)
    rope_kernel[(batch * seq,)](q, k, cos, sin, q_out, k_out, *sizes, *heads, HALF, num_warps=4)
    # END SOLUTION
