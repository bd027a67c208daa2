"""Naive: programs of 64 elements, a single warp each; each element divides its way back and looks its id up."""

import triton
import triton.language as tl


@triton.jit
def embedding_kernel(table, ids, out, dim, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    id = tl.load(ids + i // dim, mask)
    tl.store(out + i, tl.load(table + id * dim + i % dim, mask), mask)


def solve(table, ids, out, tokens, vocab, dim):
    BLOCK = 64
    n = tokens * dim
    embedding_kernel[(triton.cdiv(n, BLOCK),)](table, ids, out, dim, n, BLOCK=BLOCK, num_warps=1)
