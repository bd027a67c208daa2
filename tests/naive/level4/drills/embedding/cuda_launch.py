"""Naive: blocks of a single warp, a thread for each element."""

from grader.cuda import cdiv, load

BLOCK = 32

embedding = load("cuda_kernel.cu", "embedding")


def solve(table, ids, out, tokens, vocab, dim):
    n = tokens * dim
    embedding[cdiv(n, BLOCK), BLOCK](table, ids, out, dim, n)
