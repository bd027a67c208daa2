from grader.cuda import load

sum_ = load("cuda_kernel.cu", "sum")
finish = load("cuda_kernel.cu", "finish")


def solve(x, out, rows, cols):
    partial = x.new_empty(rows)
    sum_[rows, 256](x, partial, cols)
    finish[1, 1024](partial, out, rows)
