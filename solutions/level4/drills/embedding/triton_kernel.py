"""Embedding: out[t] = table[ids[t]] for row-major table (vocab x dim) and out (tokens x dim); a row for each token.

Idea   nothing is computed, and where to read is data: a program takes a token, looks its id up, and copies a block of
       that row of the table. However wildly the ids jump, a block is contiguous.
Bytes  4 tokens dim + 8 tokens in bfloat16 (a row read, a row written; an id of 8 bytes)      Flops  none
Bound  memory: the copy bandwidth, as long as a row is much longer than the 32 bytes of a sector.
"""

import triton
import triton.language as tl

MAX_BLOCK = 4096


@triton.jit
def embedding_kernel(table, ids, out, dim, BLOCK: tl.constexpr):
    # SOLUTION: axis 0 of the grid counts tokens, axis 1 blocks of a row: load the id, then copy its block
    token = tl.program_id(0).to(tl.int64)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    id = tl.load(ids + token)  # 64 bits, and so is the product
    values = tl.load(table + id * dim + col, col < dim)
    tl.store(out + token * dim + col, values, col < dim)
    # END SOLUTION


def solve(table, ids, out, tokens, vocab, dim):
    # SOLUTION: launch a program for each token and each block of its row
    BLOCK = min(MAX_BLOCK, triton.next_power_of_2(dim))
    warps = max(1, min(4, BLOCK // 256))
    embedding_kernel[(tokens, triton.cdiv(dim, BLOCK))](table, ids, out, dim, BLOCK=BLOCK, num_warps=warps)
    # END SOLUTION
