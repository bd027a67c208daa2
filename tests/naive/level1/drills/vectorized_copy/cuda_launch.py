"""Naive: blocks of a single warp, a thread for each element, whatever the offset."""

from grader.cuda import cdiv, load

BLOCK = 32

copy = load("cuda_kernel.cu", "copy")


def solve(x, out, n, offset):
    copy[cdiv(n, BLOCK), BLOCK](x, out, n, offset)
