"""Host side of sliding-window attention: a block of 4 warps for each 64 queries of a head."""

from grader.cuda import cdiv, load

BLOCK_M = 64
THREADS = 128

window_attention = load("cuda_kernel.cu", "window_attention")


def solve(q, k, v, out, batch, heads, seq, window):
    # TODO: one block for each head of each sequence, along x, and each BLOCK_M queries, along y
    pass
