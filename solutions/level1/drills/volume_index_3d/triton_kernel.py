"""Volume permute: out[j][i][k] = x[i][j][k]; x is d x h x w, out is h x d x w, both row-major.

Idea   a 3-D grid of programs, each moves a piece of one row, which is whole in both volumes.
Bytes  8 d h w in float32 (one read, one write)      Flops  none
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def permute_kernel(x, out, d, h, w, BLOCK: tl.constexpr):
    # SOLUTION: axis 0 of the grid covers pieces of w, axis 1 is j, axis 2 is i: move one piece of a row
    k = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1)
    i = tl.program_id(2)
    row = tl.load(x + (i * h + j) * w + k, k < w)
    tl.store(out + (j * d + i) * w + k, row, k < w)
    # END SOLUTION


def solve(x, out, d, h, w):
    # SOLUTION: launch permute_kernel on a grid of (pieces of w, h, d)
    BLOCK = 512
    permute_kernel[(triton.cdiv(w, BLOCK), h, d)](x, out, d, h, w, BLOCK=BLOCK)
    # END SOLUTION
