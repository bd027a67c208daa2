"""Allocates room, and leaves it at that."""

from grader.cuda import cdiv, load

add = load("cuda_kernel.cu", "add")


def solve(a, b, out, n):
    add[cdiv(n, 256), 256](a, b, a.new_empty(n), out, n)
