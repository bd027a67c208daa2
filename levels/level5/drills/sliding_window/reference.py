"""out = softmax(q k^T / sqrt(DIM)) v for each head, where query i sees the keys i - window + 1 to i; DIM = 64."""

import torch
from torch.nn.functional import scaled_dot_product_attention

DIM = 64


def inputs(rand, batch, heads, seq, window):
    return {name: rand(batch, heads, seq, DIM) for name in ("q", "k", "v")}


def reference(q, k, v, window):
    seq = q.shape[-2]
    seen = torch.ones(seq, seq, dtype=torch.bool, device=q.device).tril().triu(1 - window)
    return scaled_dot_product_attention(q, k, v, attn_mask=seen)


def flops(batch, heads, seq, window):
    """Two products of 2 DIM flops for each query and key that it sees."""
    seen = sum(min(window, i + 1) for i in range(seq))
    return 4 * batch * heads * seen * DIM
