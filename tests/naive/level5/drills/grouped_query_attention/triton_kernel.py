"""Naive: a program for each query: no Tensor Cores, and keys and values are read again for each query."""

import triton
import triton.language as tl


@triton.jit(do_not_specialize=("seq", "group"))
def grouped_kernel(q, k, v, out, seq, group, scale, DIM: tl.constexpr, BLOCK: tl.constexpr):
    d = tl.arange(0, DIM)
    place = (tl.program_id(0) * seq + tl.program_id(1)) * DIM + d
    query = tl.load(q + place).to(tl.float32)
    k += tl.program_id(0) // group * seq * DIM
    v += tl.program_id(0) // group * seq * DIM
    sums = tl.zeros((DIM,), tl.float32)
    total = 0.0
    largest = -1e30
    for start in range(0, seq, BLOCK):
        key = start + tl.arange(0, BLOCK)
        tile = key[:, None] * DIM + d[None, :]
        keys = tl.load(k + tile, (key < seq)[:, None], other=0.0).to(tl.float32)
        scores = tl.where(key < seq, tl.sum(query[None, :] * keys, 1) * scale, float("-inf"))
        larger = tl.maximum(largest, tl.max(scores, 0))
        weights = tl.exp(scores - larger)
        shrink = tl.exp(largest - larger)
        values = tl.load(v + tile, (key < seq)[:, None], other=0.0).to(tl.float32)
        sums = sums * shrink + tl.sum(weights[:, None] * values, 0)
        total = total * shrink + tl.sum(weights, 0)
        largest = larger
    tl.store(out + place, sums / total)


def solve(q, k, v, out, batch, kv_heads, group, seq):
    grouped_kernel[(batch * kv_heads * group, seq)](q, k, v, out, seq, group, 0.125, DIM=64, BLOCK=32)
