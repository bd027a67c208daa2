"""Multiply and add: out[i] = a[i] * b[i] + c[i].

Idea   one pass with three inputs, in float32 whatever the tensors' type, rounded once by the store.
Bytes  16 n in float32 (three reads, one write; two kernels would move 24 n)      Flops  2 n
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def multiply_add_kernel(a, b, c, out, n, BLOCK: tl.constexpr):
    # TODO: load three blocks as float32, store the product of the first two plus the third
    pass


def solve(a, b, c, out, n):
    # TODO: launch multiply_add_kernel over enough programs to cover n
    pass
