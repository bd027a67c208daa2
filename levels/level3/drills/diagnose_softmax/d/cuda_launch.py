import torch

from grader.cuda import load, sm_count

BLOCK = 512

reset = load("cuda_kernel.cu", "reset")
softmax = load("cuda_kernel.cu", "softmax")


def solve(x, out, rows, cols):
    next_ = x.new_empty(1, dtype=torch.int32)
    reset[1, 1](next_)
    softmax[4 * sm_count(), BLOCK](x, out, next_, rows)
