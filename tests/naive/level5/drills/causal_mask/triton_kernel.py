"""Naive: every tile of keys is visited, and multiplied; the mask throws away what is not seen."""

import triton
import triton.language as tl

from grader.cuda import sm_count

LOG2_E = 1.4426950408889634
DIM = 64


@triton.jit
def attend(q, k, v, out, total, largest, query, first, last, seq, scale, MASKED: tl.constexpr, BLOCK_N: tl.constexpr):
    """The walk over the tiles of keys from first to last, given; the mask is yours."""
    DIM: tl.constexpr = q.shape[1]
    d = tl.arange(0, DIM)
    for start in range(first, last, BLOCK_N):
        key = start + tl.arange(0, BLOCK_N)
        there = key < seq
        keys = tl.load(k + key[None, :] * DIM + d[:, None], there[None, :], other=0.0)
        scores = tl.dot(q, keys)
        if MASKED:  # a key past the end comes after every query
            scores = tl.where(key[None, :] <= query[:, None], scores, float("-inf"))
        larger = tl.maximum(largest, tl.max(scores, 1) * scale)
        weights = tl.exp2(scores * scale - larger[:, None])
        factor = tl.exp2(largest - larger)
        total = total * factor + tl.sum(weights, 1)
        values = tl.load(v + key[:, None] * DIM + d[None, :], there[:, None], other=0.0)
        out = tl.dot(weights.to(v.dtype.element_ty), values, out * factor[:, None])
        largest = larger
    return out, total, largest


@triton.jit(do_not_specialize=("seq",))  # compiled once, whatever divides seq: rows are DIM elements apart
def causal_kernel(q, k, v, out, seq, scale, DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    head = tl.program_id(0).to(tl.int64) * seq * DIM
    first = tl.program_id(1) * BLOCK_M
    query = first + tl.arange(0, BLOCK_M)
    place = head + query[:, None] * DIM + tl.arange(0, DIM)[None, :]
    block = tl.load(q + place, (query < seq)[:, None], other=0.0)
    sums = tl.zeros((BLOCK_M, DIM), tl.float32)
    total = tl.zeros((BLOCK_M,), tl.float32)
    largest = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    k += head
    v += head
    sums, total, largest = attend(block, k, v, sums, total, largest, query, 0, seq, seq, scale, True, BLOCK_N)
    tl.store(out + place, (sums / total[:, None]).to(out.dtype.element_ty), (query < seq)[:, None])


def solve(q, k, v, out, batch, heads, seq):
    BLOCK_M, BLOCK_N, warps = 128, 64, 8  # the first a multiple of the second
    if batch * heads * triton.cdiv(seq, BLOCK_M) <= sm_count():  # not enough to do for all: smaller tiles
        BLOCK_M, BLOCK_N, warps = 64, 32, 4
    grid = (batch * heads, triton.cdiv(seq, BLOCK_M))
    scale = LOG2_E / DIM**0.5  # powers of two are quicker than powers of e
    causal_kernel[grid](q, k, v, out, seq, scale, DIM, BLOCK_M, BLOCK_N, num_warps=warps, num_stages=3)
