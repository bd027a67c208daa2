"""out = softmax(q k^T / sqrt(dim)) v for each head, where a query sees the keys up to its own position (causal)."""

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention


def inputs(rand, batch, heads, seq, dim):
    return {name: rand(batch, heads, seq, dim) for name in ("q", "k", "v")}


def reference(q, k, v):
    if q.dtype != torch.float64:
        return scaled_dot_product_attention(q, k, v, is_causal=True)
    parts = zip(q.split(1), k.split(1), v.split(1), strict=True)  # for the truth PyTorch makes the matrix of scores
    return torch.cat([scaled_dot_product_attention(*part, is_causal=True) for part in parts])


def flops(batch, heads, seq, dim):
    """Two products of 2 seq dim flops for each query and key, of which half are masked."""
    return 2 * batch * heads * seq * (seq + 1) * dim


def peers():
    """PyTorch's own choices, one by one."""

    def only(backend):
        def run(q, k, v):
            with sdpa_kernel(backend):
                return scaled_dot_product_attention(q, k, v, is_causal=True)

        return run

    return {
        "flash": only(SDPBackend.FLASH_ATTENTION),
        "cudnn": only(SDPBackend.CUDNN_ATTENTION),
        "efficient": only(SDPBackend.EFFICIENT_ATTENTION),
    }
