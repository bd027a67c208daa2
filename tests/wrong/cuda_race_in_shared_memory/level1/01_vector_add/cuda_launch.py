"""Reads a neighbour's element of shared memory without a barrier."""

from grader.cuda import cdiv, load

add = load("cuda_kernel.cu", "add")


def solve(a, b, out, n):
    add[cdiv(n, 256), 256](a, b, out, n)
