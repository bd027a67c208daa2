"""out = softmax(q k^T / sqrt(DIM)) v for each head, where a query sees the keys up to its own; DIM = 64."""

from torch.nn.functional import scaled_dot_product_attention

DIM = 64


def inputs(rand, batch, heads, seq):
    return {name: rand(batch, heads, seq, DIM) for name in ("q", "k", "v")}


def reference(q, k, v):
    return scaled_dot_product_attention(q, k, v, is_causal=True)


def flops(batch, heads, seq):
    """Two products of 2 DIM flops for each query and key that it sees."""
    return 2 * batch * heads * seq * (seq + 1) * DIM
