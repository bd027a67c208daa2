"""Naive: small tiles, one step at a time, programs in the plain order; gate, up and h all go through memory."""

import triton
import triton.language as tl


@triton.jit
def product_kernel(a, w, out, m, n, k, TILE: tl.constexpr):
    row = tl.program_id(1).to(tl.int64) * TILE + tl.arange(0, TILE)
    col = tl.program_id(0).to(tl.int64) * TILE + tl.arange(0, TILE)
    sums = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, k, TILE):
        i = start + tl.arange(0, TILE)
        left = tl.load(a + row[:, None] * k + i[None, :], (row < m)[:, None] & (i < k)[None, :], other=0.0)
        right = tl.load(w + col[None, :] * k + i[:, None], (i < k)[:, None] & (col < n)[None, :], other=0.0)
        sums = tl.dot(left, right, sums)
    tl.store(out + row[:, None] * n + col[None, :], sums, (row < m)[:, None] & (col < n)[None, :])


@triton.jit
def gated_kernel(gate, up, h, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    g = tl.load(gate + i, i < n).to(tl.float32)
    tl.store(h + i, g / (1.0 + tl.exp(-g)) * tl.load(up + i, i < n).to(tl.float32), i < n)


def solve(x, w_gate, w_up, w_down, out, tokens, dim, hidden):
    TILE = 32
    gate, up, h = (x.new_empty(tokens, hidden) for _ in range(3))

    def product(a, w, to, n, k):
        grid = (triton.cdiv(n, TILE), triton.cdiv(tokens, TILE))
        product_kernel[grid](a, w, to, tokens, n, k, TILE=TILE, num_stages=1)

    product(x, w_gate, gate, hidden, dim)
    product(x, w_up, up, hidden, dim)
    gated_kernel[(triton.cdiv(tokens * hidden, 256),)](gate, up, h, tokens * hidden, BLOCK=256)
    product(h, w_down, out, dim, hidden)
