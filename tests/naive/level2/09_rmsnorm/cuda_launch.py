"""Naive: a launch for each step, with the rows' scales in memory between them."""

from grader.cuda import load

row_scale = load("cuda_kernel.cu", "row_scale")
apply = load("cuda_kernel.cu", "apply")


def solve(x, weight, out, rows, cols):
    scale = x.new_empty(rows)
    row_scale[rows, 32](x, scale, cols)
    apply[rows, 32](x, scale, weight, out, cols)
