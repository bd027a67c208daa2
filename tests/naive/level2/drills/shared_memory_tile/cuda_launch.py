"""Naive: blocks of a single warp, a thread for each output."""

from grader.cuda import cdiv, load

BLOCK = 32

stencil = load("cuda_kernel.cu", "stencil")


def solve(x, weights, out, n):
    stencil[cdiv(n, BLOCK), BLOCK](x, weights, out, n)
