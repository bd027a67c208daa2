from grader.cuda import cdiv, load, synchronize

WARPS = 8

row_max = load("cuda_kernel.cu", "row_max")
shift = load("cuda_kernel.cu", "shift")
row_sum = load("cuda_kernel.cu", "row_sum")
divide = load("cuda_kernel.cu", "divide")


def solve(x, out, rows, cols):
    largest, sum_, e = x.new_empty(rows), x.new_empty(rows), x.new_empty(rows, cols)
    shape = cdiv(rows, WARPS), (32, WARPS)
    row_max[shape](x, largest, rows)
    synchronize()  # `largest` must be complete
    shift[shape](x, largest, e, rows)
    row_sum[shape](e, sum_, rows)
    synchronize()  # and so must `sum_`
    divide[shape](e, sum_, out, rows)
