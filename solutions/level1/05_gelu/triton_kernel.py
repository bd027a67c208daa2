"""GELU, exact: out[i] = x[i] * Phi(x[i]), where Phi(x) = (1 + erf(x / sqrt(2))) / 2 is the normal distribution.

Idea   a block of 1024 elements for 128 lanes: each lane owns eight, and the compiler moves them 16 bytes at a time.
Bytes  8 n in float32 (one read, one write)      Flops  5 n, counting erf as one
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def gelu_kernel(x, out, n, BLOCK: tl.constexpr):
    # SOLUTION: load this program's block as float32, store the exact GELU
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    v = tl.load(x + offsets, mask).to(tl.float32)
    sqrt_half = 0.7071067811865476
    y = 0.5 * v * (1.0 + tl.math.erf(v * sqrt_half))
    tl.store(out + offsets, y, mask)
    # END SOLUTION


def solve(x, out, n):
    # SOLUTION: launch gelu_kernel over enough programs to cover n
    BLOCK = 1024
    gelu_kernel[(triton.cdiv(n, BLOCK),)](x, out, n, BLOCK=BLOCK)
    # END SOLUTION
