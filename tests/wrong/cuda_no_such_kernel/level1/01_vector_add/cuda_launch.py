"""Asks for a kernel that the file does not have."""

from grader.cuda import cdiv, load

add = load("cuda_kernel.cu", "sum")


def solve(a, b, out, n):
    add[cdiv(n, 256), 256](a, b, out, n)
