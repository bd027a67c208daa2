"""out = softmax(q k^T / sqrt(DIM)) v, where head h of q reads head h // group of k and v; DIM = 64."""

from torch.nn.functional import scaled_dot_product_attention

DIM = 64


def inputs(rand, batch, kv_heads, group, seq):
    q = rand(batch, kv_heads * group, seq, DIM)
    return {"q": q, "k": rand(batch, kv_heads, seq, DIM), "v": rand(batch, kv_heads, seq, DIM)}


def reference(q, k, v):
    return scaled_dot_product_attention(q, k, v, enable_gqa=True)


def flops(batch, kv_heads, group, seq):
    """Two products of 2 DIM flops for each query and key."""
    return 4 * batch * kv_heads * group * seq * seq * DIM
