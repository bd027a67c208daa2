"""Naive: a launch for each step, with the rows' maxima and sums in memory between them."""

from grader.cuda import load

row_max = load("cuda_kernel.cu", "row_max")
row_sum = load("cuda_kernel.cu", "row_sum")
divide = load("cuda_kernel.cu", "divide")


def solve(x, out, rows, cols):
    largest, sums = x.new_empty(rows), x.new_empty(rows)
    row_max[rows, 32](x, largest, cols)
    row_sum[rows, 32](x, largest, sums, cols)
    divide[rows, 32](x, largest, sums, out, cols)
