"""Naive: a launch for each step, with the rows' maxima in memory between them."""

from grader.cuda import load

row_max = load("cuda_kernel.cu", "row_max")
loss = load("cuda_kernel.cu", "loss")


def solve(logits, targets, out, rows, vocab):
    largest = logits.new_empty(rows)
    row_max[rows, 32](logits, largest, vocab)
    loss[rows, 32](logits, targets, largest, out, vocab)
