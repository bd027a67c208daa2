"""Asks for 2048 threads in a block."""

from grader.cuda import cdiv, load

add = load("cuda_kernel.cu", "add")


def solve(a, b, out, n):
    add[cdiv(n, 2048), 2048](a, b, out, n)
