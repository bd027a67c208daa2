"""out[t] = table[ids[t]]: the row of a row-major table for each token."""

import math

import torch
from torch.nn import functional


def inputs(rand, tokens, vocab, dim):
    """Ids scattered by the bits of random numbers; the last one comes first and in the middle, id 0 at the end."""
    bits = rand(tokens)
    bits = bits.view({2: torch.int16, 4: torch.int32}[bits.element_size()]).long()
    ids = (40503 * bits + 9973 * torch.arange(tokens, device=bits.device)) % vocab
    ids[0] = ids[tokens // 2] = vocab - 1
    ids[-1] = 0
    return {"table": rand(vocab, dim), "ids": ids}


def reference(table, ids):
    return functional.embedding(ids, table)


def flops(tokens, vocab, dim):
    return 0


def bytes_moved(tokens, vocab, dim):
    """In the two bytes of the type that is timed. Of the table only rows that are asked for, each once, as expected
    of random ids: with less room for the table more tokens share a row.
    """
    rows = vocab * -math.expm1(-tokens / vocab)
    return int(8 * tokens + 2 * dim * (rows + tokens))
