"""Vector add: out[i] = a[i] + b[i].

Idea   one program per block of elements; the mask guards the ragged end.
Bytes  12 n in float32 (two reads, one write)      Flops  n
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    # SOLUTION: compute this program's offsets and the mask, load both inputs, store the sum
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    total = tl.load(a + offsets, mask) + tl.load(b + offsets, mask)
    tl.store(out + offsets, total, mask)
    # END SOLUTION


def solve(a, b, out, n):
    # SOLUTION: launch add_kernel over enough programs of BLOCK elements to cover n
    BLOCK = 1024
    add_kernel[(triton.cdiv(n, BLOCK),)](a, b, out, n, BLOCK=BLOCK)
    # END SOLUTION
