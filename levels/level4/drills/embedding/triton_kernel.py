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
    # TODO: axis 0 of the grid counts tokens, axis 1 blocks of a row: load the id, then copy its block
    pass


def solve(table, ids, out, tokens, vocab, dim):
    # TODO: launch a program for each token and each block of its row
    pass
