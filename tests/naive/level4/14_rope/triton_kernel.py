"""Naive: a program for each head, 64 pairs at a time; cosines and sines are read for each head; two launches."""

import triton
import triton.language as tl


@triton.jit
def rotate_kernel(x, cos, sin, out, seq, heads, half_dim, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    position = row // heads % seq
    for start in range(0, half_dim, BLOCK):
        d = start + tl.arange(0, BLOCK)
        mask = d < half_dim
        c = tl.load(cos + position * half_dim + d, mask).to(tl.float32)
        s = tl.load(sin + position * half_dim + d, mask).to(tl.float32)
        a = tl.load(x + row * 2 * half_dim + d, mask).to(tl.float32)
        b = tl.load(x + row * 2 * half_dim + half_dim + d, mask).to(tl.float32)
        tl.store(out + row * 2 * half_dim + d, a * c - b * s, mask)
        tl.store(out + row * 2 * half_dim + half_dim + d, b * c + a * s, mask)


def solve(q, k, cos, sin, q_out, k_out, batch, seq, q_heads, kv_heads, half_dim):
    for x, out, heads in ((q, q_out, q_heads), (k, k_out, kv_heads)):
        rotate_kernel[(batch * seq * heads,)](x, cos, sin, out, seq, heads, half_dim, BLOCK=64)
