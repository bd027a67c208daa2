"""Naive: a thread for each group of 32 elements."""

from grader.cuda import cdiv, load

BLOCK = 256

warp_sums = load("cuda_kernel.cu", "warp_sums")


def solve(x, out, n):
    warp_sums[cdiv(n, 32 * BLOCK), BLOCK](x, out, n)
