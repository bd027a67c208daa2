"""Naive: a launch for each step, with the sum and the rows' scales in memory between them."""

import torch

from grader.cuda import load

add = load("cuda_kernel.cu", "add")
row_scale = load("cuda_kernel.cu", "row_scale")
apply = load("cuda_kernel.cu", "apply")


def solve(x, residual, weight, out, residual_out, rows, cols):
    scale = x.new_empty(rows, dtype=torch.float32)
    add[rows, 32](x, residual, residual_out, cols)
    row_scale[rows, 32](residual_out, scale, cols)
    apply[rows, 32](residual_out, scale, weight, out, cols)
