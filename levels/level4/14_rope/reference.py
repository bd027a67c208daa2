"""Rotary position embedding: elements d and d + half_dim of a head are turned by angle d of the token's position."""

import torch


def inputs(rand, batch, seq, q_heads, kv_heads, half_dim):
    """Any angles, so that they must be read, and not be made of the position."""
    angle = rand(seq, half_dim)
    return {
        "q": rand(batch, seq, q_heads, 2 * half_dim),
        "k": rand(batch, seq, kv_heads, 2 * half_dim),
        "cos": angle.cos(),
        "sin": angle.sin(),
    }


def reference(q, k, cos, sin):
    cos, sin = cos[:, None], sin[:, None]  # the same for all heads

    def rotate(x):
        first, second = x.chunk(2, -1)
        return torch.cat((first * cos - second * sin, second * cos + first * sin), -1)

    return {"q_out": rotate(q), "k_out": rotate(k)}


def flops(batch, seq, q_heads, kv_heads, half_dim):
    return 6 * batch * seq * (q_heads + kv_heads) * half_dim


def peers():
    """Liger-Kernel's, where that is installed. It wants heads before positions, and rotates in place."""
    try:
        from liger_kernel.ops.rope import LigerRopeFunction
    except ImportError:
        return {}

    def liger(q, k, cos, sin):
        views = q.transpose(1, 2), k.transpose(1, 2)
        q_out, k_out = LigerRopeFunction.apply(*views, cos[None], sin[None], None, 1, q.shape[-1])
        return {"q_out": q_out.transpose(1, 2), "k_out": k_out.transpose(1, 2)}

    return {"liger": liger}
