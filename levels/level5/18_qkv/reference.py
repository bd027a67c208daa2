"""q, k, v: the three projections of x, each as [batch, heads, seq, head_dim]; weights as nn.Linear holds them."""

from torch.nn import functional


def inputs(rand, batch, seq, dim, q_heads, kv_heads, head_dim):
    return {
        "x": rand(batch, seq, dim),
        "wq": rand(q_heads * head_dim, dim),
        "wk": rand(kv_heads * head_dim, dim),
        "wv": rand(kv_heads * head_dim, dim),
    }


def reference(x, wq, wk, wv, head_dim):
    def heads(w):
        return functional.linear(x, w).unflatten(-1, (-1, head_dim)).transpose(1, 2).contiguous()

    return {"q": heads(wq), "k": heads(wk), "v": heads(wv)}


def flops(batch, seq, dim, q_heads, kv_heads, head_dim):
    return 2 * batch * seq * dim * (q_heads + 2 * kv_heads) * head_dim
