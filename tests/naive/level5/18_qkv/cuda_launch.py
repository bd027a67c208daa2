"""Naive: three launches, a thread for each element of q, k and v."""

from grader.cuda import cdiv, load

BLOCK = 16

project = load("cuda_kernel.cu", "project")


def solve(x, wq, wk, wv, q, k, v, batch, seq, dim, q_heads, kv_heads, head_dim):
    for w, out, heads in ((wq, q, q_heads), (wk, k, kv_heads), (wv, v, kv_heads)):
        grid = (cdiv(heads * head_dim, BLOCK), cdiv(batch * seq, BLOCK))
        project[grid, (BLOCK, BLOCK)](x, w, out, batch, seq, dim, heads, head_dim)
