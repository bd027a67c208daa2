"""Naive: one launch, but no tiles along k and no tl.dot: an outer product of a column and a line for each step."""

import triton
import triton.language as tl


@triton.jit
def batched_matmul_kernel(a, b, out, m, n, k, BLOCK: tl.constexpr):
    a += tl.program_id(2) * m * k
    b += tl.program_id(2) * k * n
    out += tl.program_id(2) * m * n
    row = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    col = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK, BLOCK), tl.float32)
    for i in range(k):
        column = tl.load(a + row * k + i, row < m, other=0.0).to(tl.float32)
        line = tl.load(b + i * n + col, col < n, other=0.0).to(tl.float32)
        sums += column[:, None] * line[None, :]
    tl.store(out + row[:, None] * n + col[None, :], sums, (row < m)[:, None] & (col < n)[None, :])


def solve(a, b, out, batch, m, n, k):
    BLOCK = 32
    grid = (triton.cdiv(n, BLOCK), triton.cdiv(m, BLOCK), batch)
    batched_matmul_kernel[grid](a, b, out, m, n, k, BLOCK=BLOCK)
