from grader.cuda import cdiv, load

BLOCK = 256

zero = load("cuda_kernel.cu", "zero")
sum_ = load("cuda_kernel.cu", "sum")


def solve(x, out, rows, cols):
    n = rows * cols
    zero[1, 1](out)
    sum_[cdiv(n, BLOCK), BLOCK](x, out, n)
