import torch

from grader.cuda import load

WORDS = 10

zero = load("cuda_kernel.cu", "zero")
sum_ = load("cuda_kernel.cu", "sum")
finish = load("cuda_kernel.cu", "finish")


def solve(x, out, rows, cols):
    words = x.new_empty(WORDS, dtype=torch.int64)
    zero[1, WORDS](words)
    sum_[rows, 256](x, words)
    finish[1, 1](words, out)
