"""Naive: the result starts at +infinity, and every thread tries to lower it."""

from grader.cuda import cdiv, load

BLOCK = 256

min_all = load("cuda_kernel.cu", "min_all")


def solve(x, out, n):
    out.fill_(float("inf"))
    min_all[cdiv(n, BLOCK), BLOCK](x, out, n)
