"""Naive: rung 11: no tiles along k and no tl.dot, but an outer product of a column and a line for each step."""

import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a, b, out, m, n, k, BLOCK: tl.constexpr):
    row = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    col = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK, BLOCK), tl.float32)
    for i in range(k):
        column = tl.load(a + row * k + i, row < m, other=0.0)
        line = tl.load(b + i * n + col, col < n, other=0.0)
        sums += column[:, None] * line[None, :]
    tl.store(out + row[:, None] * n + col[None, :], sums, (row < m)[:, None] & (col < n)[None, :])


def solve(a, b, out, m, n, k):
    BLOCK = 32
    matmul_kernel[(triton.cdiv(n, BLOCK), triton.cdiv(m, BLOCK))](a, b, out, m, n, k, BLOCK=BLOCK)
