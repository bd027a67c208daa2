"""out[row] = log(sum of exp(logits[row])) - logits[row][targets[row]]: minus the log of the target's probability."""

import torch
from torch.nn import functional


def inputs(rand, rows, vocab):
    """Targets scattered by the bits of random numbers; but the first is the last of the vocabulary, the last is 0."""
    bits = rand(rows)
    bits = bits.view({2: torch.int16, 4: torch.int32}[bits.element_size()]).long()
    targets = (40503 * bits + 9973 * torch.arange(rows, device=bits.device)) % vocab
    targets[-1] = 0
    targets[0] = vocab - 1
    return {"logits": rand(rows, vocab), "targets": targets}


def reference(logits, targets):
    return functional.cross_entropy(logits, targets, reduction="none")


def flops(rows, vocab):
    return 4 * rows * vocab
