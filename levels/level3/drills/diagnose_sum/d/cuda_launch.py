from grader.cuda import load

zero = load("cuda_kernel.cu", "zero")
sum_ = load("cuda_kernel.cu", "sum")


def solve(x, out, rows, cols):
    zero[1, 1](out)
    sum_[rows, 256](x, out)
