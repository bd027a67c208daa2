"""Host side of the cross entropy: a block for each row, as wide as the vocabulary asks for."""

from grader.cuda import cdiv, load

MAX_BLOCK = 512
WARP = 32

cross_entropy = load("cuda_kernel.cu", "cross_entropy")


def solve(logits, targets, out, rows, vocab):
    # TODO: launch one block for each row, of whole warps and at most MAX_BLOCK threads
    pass
