"""SiLU (swish): out[i] = x[i] * sigmoid(x[i]), where sigmoid(x) = 1 / (1 + e^-x).

Idea   compute in float32 whatever the tensors hold, so that no infinity meets another; round once, on storing.
Bytes  8 n in float32 (one read, one write)      Flops  4 n (negate, exp, add, divide)
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def silu_kernel(x, out, n, BLOCK: tl.constexpr):
    # SOLUTION: load this program's block as float32, store x * sigmoid(x), finite for every finite x
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    v = tl.load(x + offsets, mask).to(tl.float32)
    y = v / (1.0 + tl.exp(-v))  # for v below -88: v / inf, the right 0
    tl.store(out + offsets, y, mask)
    # END SOLUTION


def solve(x, out, n):
    # SOLUTION: launch silu_kernel over enough programs to cover n
    BLOCK = 1024
    silu_kernel[(triton.cdiv(n, BLOCK),)](x, out, n, BLOCK=BLOCK)
    # END SOLUTION
