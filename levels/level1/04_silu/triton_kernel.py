"""SiLU (swish): out[i] = x[i] * sigmoid(x[i]), where sigmoid(x) = 1 / (1 + e^-x).

Idea   compute in float32 whatever the tensors hold, so that no infinity meets another; round once, on storing.
Bytes  8 n in float32 (one read, one write)      Flops  4 n (negate, exp, add, divide)
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def silu_kernel(x, out, n, BLOCK: tl.constexpr):
    # TODO: load this program's block as float32, store x * sigmoid(x), finite for every finite x
    pass


def solve(x, out, n):
    # TODO: launch silu_kernel over enough programs to cover n
    pass
