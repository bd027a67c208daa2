from grader.cuda import load

sum_ = load("cuda_kernel.cu", "sum")


def solve(x, out, rows, cols):
    for row in range(rows):
        sum_[1, 256](x, out, cols, row)
