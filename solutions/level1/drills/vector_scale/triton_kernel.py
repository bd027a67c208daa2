"""Vector scale: out[i] = alpha * x[i].

Idea   alpha is an ordinary argument, a float32 scalar that meets a block of elements by broadcasting.
Bytes  8 n in float32 (one read, one write)      Flops  n
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, out, n, alpha, BLOCK: tl.constexpr):
    # SOLUTION: load this program's block as float32, store alpha times it
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    scaled = alpha * tl.load(x + offsets, mask).to(tl.float32)
    tl.store(out + offsets, scaled, mask)
    # END SOLUTION


def solve(x, out, n, alpha):
    # SOLUTION: launch scale_kernel over enough programs to cover n
    BLOCK = 1024
    scale_kernel[(triton.cdiv(n, BLOCK),)](x, out, n, alpha, BLOCK=BLOCK)
    # END SOLUTION
