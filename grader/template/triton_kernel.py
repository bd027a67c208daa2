"""My exercise: out[i] = 2 * x[i].

Idea   one program for each block of elements.
Bytes  8 n in float32 (one read, one write)      Flops  n
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def my_exercise_kernel(x, out, n, BLOCK: tl.constexpr):
    # SOLUTION: load this program's block, store twice it
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    doubled = 2.0 * tl.load(x + offsets, mask)
    tl.store(out + offsets, doubled, mask)
    # END SOLUTION


def solve(x, out, n):
    # SOLUTION: launch my_exercise_kernel over enough programs to cover n
    BLOCK = 1024
    my_exercise_kernel[(triton.cdiv(n, BLOCK),)](x, out, n, BLOCK=BLOCK)
    # END SOLUTION
