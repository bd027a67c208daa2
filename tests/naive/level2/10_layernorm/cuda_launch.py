"""Naive: a launch for each step, with the rows' means and scales in memory between them."""

from grader.cuda import load

row_mean = load("cuda_kernel.cu", "row_mean")
row_scale = load("cuda_kernel.cu", "row_scale")
apply = load("cuda_kernel.cu", "apply")


def solve(x, weight, bias, out, rows, cols):
    mean, scale = x.new_empty(rows), x.new_empty(rows)
    row_mean[rows, 32](x, mean, cols)
    row_scale[rows, 32](x, mean, scale, cols)
    apply[rows, 32](x, mean, scale, weight, bias, out, cols)
