"""Naive: x, y and z of the grid in the order of the indices."""

from grader.cuda import cdiv, load

BLOCK = (32, 4, 2)

permute = load("cuda_kernel.cu", "permute")


def solve(x, out, d, h, w):
    permute[(cdiv(d, BLOCK[0]), cdiv(h, BLOCK[1]), cdiv(w, BLOCK[2])), BLOCK](x, out, d, h, w)
