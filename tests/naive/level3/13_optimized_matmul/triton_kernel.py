"""Naive: tiles of 16 x 16, which are hardly used before the next ones are wanted."""

import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a, b, out, m, n, k, TILE: tl.constexpr):
    row = tl.program_id(1) * TILE + tl.arange(0, TILE)
    col = tl.program_id(0) * TILE + tl.arange(0, TILE)
    sums = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, k, TILE):
        i = start + tl.arange(0, TILE)
        left = tl.load(a + row[:, None] * k + i[None, :], (row < m)[:, None] & (i < k)[None, :], other=0.0)
        right = tl.load(b + i[:, None] * n + col[None, :], (i < k)[:, None] & (col < n)[None, :], other=0.0)
        sums = tl.dot(left, right, sums, input_precision="ieee")
    tl.store(out + row[:, None] * n + col[None, :], sums, (row < m)[:, None] & (col < n)[None, :])


def solve(a, b, out, m, n, k):
    TILE = 16
    matmul_kernel[(triton.cdiv(n, TILE), triton.cdiv(m, TILE))](a, b, out, m, n, k, TILE=TILE, num_stages=1)
