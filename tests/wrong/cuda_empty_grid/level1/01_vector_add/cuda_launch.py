"""Launches a grid of no blocks."""

from grader.cuda import cdiv, load

add = load("cuda_kernel.cu", "add")


def solve(a, b, out, n):
    add[0, 256](a, b, out, n)
