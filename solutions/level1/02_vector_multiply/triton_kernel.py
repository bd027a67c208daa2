"""Vector multiply: out[i] = a[i] * b[i].

Idea   a fixed number of programs walks over the vectors: each makes a block, then steps over all the others' blocks.
Bytes  12 n in float32 (two reads, one write)      Flops  n
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl

from grader.cuda import sm_count

BLOCK = 1024
PROGRAMS_PER_SM = 4


@triton.jit
def multiply_kernel(a, b, out, n, BLOCK: tl.constexpr):
    # SOLUTION: loop over this program's blocks, from its own, in steps of all the programs' blocks, up to n
    stride = tl.num_programs(0) * BLOCK
    for start in range(tl.program_id(0) * BLOCK, n, stride):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < n
        product = tl.load(a + offsets, mask).to(tl.float32) * tl.load(b + offsets, mask).to(tl.float32)
        tl.store(out + offsets, product, mask)
    # END SOLUTION


def solve(a, b, out, n):
    # SOLUTION: launch multiply_kernel on enough programs to cover n, but at most PROGRAMS_PER_SM for each SM
    programs = min(triton.cdiv(n, BLOCK), PROGRAMS_PER_SM * sm_count())
    multiply_kernel[(programs,)](a, b, out, n, BLOCK=BLOCK)
    # END SOLUTION
