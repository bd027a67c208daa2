"""GELU, exact: out[i] = x[i] * Phi(x[i]), where Phi(x) = (1 + erf(x / sqrt(2))) / 2 is the normal distribution.

Idea   a block of 1024 elements for 128 lanes: each lane owns eight, and the compiler moves them 16 bytes at a time.
Bytes  8 n in float32 (one read, one write)      Flops  5 n, counting erf as one
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def gelu_kernel(x, out, n, BLOCK: tl.constexpr):
    # TODO: load this program's block as float32, store the exact GELU
    pass


def solve(x, out, n):
    # TODO: launch gelu_kernel over enough programs to cover n
    pass
