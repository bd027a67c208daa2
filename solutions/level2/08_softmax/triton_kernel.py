"""Softmax of every row of a row-major matrix: exp(x - m) / s, where m = max(x) and s = sum(exp(x - m)) of the row.

Idea   a program owns a row. One that fits in its registers is a single block of values, read once. A longer one is
       walked over twice, and the first walk makes maximum and sum together, *online*: where the maximum grows, the
       sum so far is scaled down to match.
Bytes  8 rows cols in float32 (one read, one write; the second walk finds most of its row in the L2 cache)
Flops  5 rows cols, counting exp as one
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl

MAX_BLOCK = 32768  # 32 warps hold 32 values in each lane
ONLINE_BLOCK = 8192


@triton.jit
def softmax_kernel(x, out, cols, BLOCK: tl.constexpr):
    # SOLUTION: load this program's row as one block of float32, -inf past its end; store its softmax
    start = tl.program_id(0).to(tl.int64) * cols
    col = tl.arange(0, BLOCK)
    mask = col < cols
    v = tl.load(x + start + col, mask, other=float("-inf")).to(tl.float32)
    powers = tl.exp(v - tl.max(v, 0))  # no argument is positive, so nothing overflows; exp(-inf) is 0
    tl.store(out + start + col, powers / tl.sum(powers, 0), mask)
    # END SOLUTION


@triton.jit
def softmax_online_kernel(x, out, cols, BLOCK: tl.constexpr):
    # SOLUTION: walk over the row for maximum and sum together, lane by lane; combine the lanes; walk again to store
    x += tl.program_id(0).to(tl.int64) * cols
    out += tl.program_id(0).to(tl.int64) * cols
    m = tl.full((BLOCK,), float("-inf"), tl.float32)  # of what this lane has seen, and
    s = tl.zeros((BLOCK,), tl.float32)  # the sum of its exp(x - m)
    for start in range(0, cols, BLOCK):
        col = start + tl.arange(0, BLOCK)
        v = tl.load(x + col, col < cols, other=float("-inf")).to(tl.float32)
        larger = tl.maximum(m, v)
        base = tl.where(larger == float("-inf"), 0.0, larger)  # all masked so far: (-inf) - (-inf) would be NaN
        s = s * tl.exp(m - base) + tl.exp(v - base)
        m = larger
    row_max = tl.max(m, 0)
    scale = 1.0 / tl.sum(s * tl.exp(m - tl.where(row_max == float("-inf"), 0.0, row_max)), 0)
    for start in range(0, cols, BLOCK):
        col = start + tl.arange(0, BLOCK)
        v = tl.load(x + col, col < cols, other=float("-inf")).to(tl.float32)
        tl.store(out + col, tl.exp(v - row_max) * scale, col < cols)
    # END SOLUTION


def solve(x, out, rows, cols):
    # SOLUTION: launch a program for each row: softmax_kernel if a block of MAX_BLOCK holds it, else the online one
    if cols <= MAX_BLOCK:
        BLOCK = triton.next_power_of_2(cols)
        warps = max(1, min(32, BLOCK // 512))  # 16 values in each lane, in the longest rows 32
        softmax_kernel[(rows,)](x, out, cols, BLOCK=BLOCK, num_warps=warps)
    else:
        softmax_online_kernel[(rows,)](x, out, cols, BLOCK=ONLINE_BLOCK, num_warps=16)
    # END SOLUTION
