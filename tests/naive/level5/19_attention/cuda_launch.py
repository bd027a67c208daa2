"""Naive: a thread for each element of each of the three results."""

import torch

from grader.cuda import cdiv, load

BLOCK = 64

softmax_rows = load("cuda_kernel.cu", "softmax_rows")
products = {
    torch.float32: (load("cuda_kernel.cu", "scores_of<float>"), load("cuda_kernel.cu", "weighted_sum<float>")),
    torch.float16: (load("cuda_kernel.cu", "scores_of<half>"), load("cuda_kernel.cu", "weighted_sum<half>")),
}


def solve(q, k, v, out, batch, heads, seq, dim):
    scores_of, weighted_sum = products[q.dtype]
    scores = q.new_empty(batch, heads, seq, seq, dtype=torch.float32)
    rows = batch * heads * seq
    scores_of[(cdiv(seq, BLOCK), seq, batch * heads), BLOCK](q, k, scores, seq, dim)
    softmax_rows[cdiv(rows, BLOCK), BLOCK](scores, rows, seq)
    weighted_sum[(cdiv(seq, BLOCK), dim, batch * heads), BLOCK](scores, v, out, seq, dim)
