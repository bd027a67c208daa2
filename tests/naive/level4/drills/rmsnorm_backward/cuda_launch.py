"""Naive: a launch for each step, with two numbers for each row in memory between them."""

import torch

from grader.cuda import cdiv, load

row_sums = load("cuda_kernel.cu", "row_sums")
of_x = load("cuda_kernel.cu", "of_x")
of_weight = load("cuda_kernel.cu", "of_weight")


def solve(x, weight, grad_out, grad_x, grad_weight, rows, cols):
    scale, along = x.new_empty(2, rows, dtype=torch.float32)
    row_sums[rows, 32](x, weight, grad_out, scale, along, cols)
    of_x[rows, 32](x, weight, grad_out, scale, along, grad_x, cols)
    of_weight[cdiv(cols, 128), 128](x, grad_out, scale, grad_weight, rows, cols)
