"""Host side of grouped-query attention: a block of 4 warps for each 64 queries of a head."""

from grader.cuda import cdiv, load

BLOCK_M = 64
THREADS = 128

grouped_query_attention = load("cuda_kernel.cu", "grouped_query_attention")


def solve(q, k, v, out, batch, kv_heads, group, seq):
    # TODO: one block for each head of q of each sequence, along x, and each BLOCK_M queries, along y
    pass
