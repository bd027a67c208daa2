"""RMSNorm backward: with r = 1 / sqrt(mean of a row's x^2 + 1e-5) and g = grad_out,

    grad_x[row][col] = r g w - x r^3 mean(g w x)          grad_weight[col] = sum over rows of g x r

Idea   a program takes every so many-th row, each as one block of values that stays in registers between the two sums
       over it and their use. It adds up its share of grad_weight in registers, too, and stores it once. A second
       kernel adds the programs' shares, in a fixed order, so that the result is the same in every run.
Bytes  6 rows cols in bfloat16 (two reads, one write) + 8 programs cols for the shares, which stay in the L2 cache
Flops  11 rows cols
Bound  memory: two flops for each byte. The copy bandwidth is the ceiling.
"""

import torch
import triton
import triton.language as tl

from grader.cuda import sm_count


@triton.jit
def rmsnorm_backward_kernel(x, weight, grad_out, grad_x, parts, rows, cols, BLOCK: tl.constexpr):
    # SOLUTION: for every num_programs-th row, grad_x; over these rows, this program's share of grad_weight
    part = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    mask = col < cols
    share = tl.zeros((BLOCK,), tl.float32)
    for row in range(part, rows, tl.num_programs(0)):
        place = row.to(tl.int64) * cols + col
        xs = tl.load(x + place, mask, other=0.0).to(tl.float32)
        gs = tl.load(grad_out + place, mask, other=0.0).to(tl.float32)
        w = tl.load(weight + col, mask, other=0.0).to(
            tl.float32
        )  # each time, from the L1 cache: registers are scarcer
        r = tl.rsqrt(tl.sum(xs * xs) / cols + 1e-5)
        pull = r * r * r * (tl.sum(gs * w * xs) / cols)
        tl.store(grad_x + place, r * (gs * w) - pull * xs, mask)
        share += gs * (xs * r)
    tl.store(parts + part.to(tl.int64) * cols + col, share, mask)
    # END SOLUTION


@triton.jit
def sum_parts_kernel(parts, grad_weight, count, cols, PARTS: tl.constexpr, COLS: tl.constexpr):
    # SOLUTION: add up the `count` shares of this program's columns; PARTS is a power of two that covers them
    part = tl.arange(0, PARTS)
    col = tl.program_id(0) * COLS + tl.arange(0, COLS)
    mask = (part < count)[:, None] & (col < cols)[None, :]
    shares = tl.load(parts + part.to(tl.int64)[:, None] * cols + col[None, :], mask, other=0.0)
    tl.store(grad_weight + col, tl.sum(shares, 0), col < cols)
    # END SOLUTION


def solve(x, weight, grad_out, grad_x, grad_weight, rows, cols):
    # SOLUTION: room for the programs' shares of grad_weight; launch rmsnorm_backward_kernel, then sum_parts_kernel
    programs = min(rows, 2 * sm_count())  # as many as run at the same time
    parts = x.new_empty(programs, cols, dtype=torch.float32)
    BLOCK = triton.next_power_of_2(cols)
    warps = max(1, min(32, BLOCK // 256))  # 8 values for each thread, of each of four kinds
    rmsnorm_backward_kernel[(programs,)](x, weight, grad_out, grad_x, parts, rows, cols, BLOCK=BLOCK, num_warps=warps)
    PARTS = triton.next_power_of_2(programs)
    sum_parts_kernel[(triton.cdiv(cols, 16),)](parts, grad_weight, programs, cols, PARTS=PARTS, COLS=16, num_warps=8)
    # END SOLUTION
