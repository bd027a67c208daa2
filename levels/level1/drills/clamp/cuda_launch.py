"""Host side of clamp: two numbers beside the tensors."""

from grader.cuda import cdiv, load, sm_count

BLOCK = 256
BLOCKS_PER_SM = 8

clamp = load("cuda_kernel.cu", "clamp")


def solve(x, out, n, low, high):
    # TODO: launch clamp with blocks of BLOCK threads: enough to cover n, but at most BLOCKS_PER_SM for each SM
    pass
