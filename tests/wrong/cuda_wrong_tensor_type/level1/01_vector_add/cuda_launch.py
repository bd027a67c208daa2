"""Passes an int32 tensor for a float pointer."""

import torch

from grader.cuda import cdiv, load

add = load("cuda_kernel.cu", "add")


def solve(a, b, out, n):
    add[cdiv(n, 256), 256](a.view(torch.int32), b, out, n)
