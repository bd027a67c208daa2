"""Add and ReLU: out[i] = a[i] + b[i] where that is positive, 0 where it is negative, NaN where it is NaN.

Idea   fuse: the sum is a block of registers, and only the clipped result is stored.
Bytes  12 n in float32 (two reads, one write; two kernels would move 20 n)      Flops  2 n
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def add_relu_kernel(a, b, out, n, BLOCK: tl.constexpr):
    # TODO: load both blocks as float32, add them, clip the sum at 0 (NaN stays NaN), store it
    pass


def solve(a, b, out, n):
    # TODO: launch add_relu_kernel over enough programs to cover n
    pass
