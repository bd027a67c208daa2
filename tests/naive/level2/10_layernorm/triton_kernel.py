"""Naive: 64 elements at a time, reduced to one number each time, and three walks over the row."""

import triton
import triton.language as tl


@triton.jit
def layernorm_kernel(x, weight, bias, out, cols, BLOCK: tl.constexpr):
    x += tl.program_id(0).to(tl.int64) * cols
    out += tl.program_id(0).to(tl.int64) * cols
    col = tl.arange(0, BLOCK)
    total = 0.0
    for start in range(0, cols, BLOCK):
        total += tl.sum(tl.load(x + start + col, start + col < cols, other=0.0).to(tl.float32))
    mean = total / cols
    squares = 0.0
    for start in range(0, cols, BLOCK):
        mask = start + col < cols
        distance = tl.where(mask, tl.load(x + start + col, mask, other=0.0).to(tl.float32) - mean, 0.0)
        squares += tl.sum(distance * distance)
    scale = tl.rsqrt(squares / cols + 1e-5)
    for start in range(0, cols, BLOCK):
        mask = start + col < cols
        distance = tl.load(x + start + col, mask).to(tl.float32) - mean
        factor = tl.load(weight + start + col, mask).to(tl.float32)
        shift = tl.load(bias + start + col, mask).to(tl.float32)
        tl.store(out + start + col, distance * scale * factor + shift, mask)


def solve(x, weight, bias, out, rows, cols):
    layernorm_kernel[(rows,)](x, weight, bias, out, cols, BLOCK=64)
