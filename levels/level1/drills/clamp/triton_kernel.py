"""Clamp: out[i] = low below low, high above high, x[i] in between, NaN for NaN.

Idea   two selects on a block; the questions are asked so that their answer for NaN, false, keeps x.
Bytes  8 n in float32 (one read, one write)      Flops  2 n (comparisons)
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def clamp_kernel(x, out, n, low, high, BLOCK: tl.constexpr):
    # TODO: load this program's block as float32, store low, high or the value itself, and NaN for NaN
    pass


def solve(x, out, n, low, high):
    # TODO: launch clamp_kernel over enough programs to cover n
    pass
