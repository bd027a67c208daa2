"""Sum of squares: a partial sum for each program, then the sum of those.

Idea   the second launch must add without squaring again. SQUARE is a constexpr: the compiler makes two kernels of
       one text, and neither tests anything while it runs.
Bytes  4 n in float32 (each element once; two thousand partial sums do not count)      Flops  2 n
Bound  memory: reading at full bandwidth is the ceiling.
"""

import torch
import triton
import triton.language as tl

from grader.cuda import sm_count

BLOCK = 1024
PROGRAMS_PER_SM = 16  # of four warps each: as many as an SM of a data-centre GPU holds at once


@triton.jit
def sum_kernel(x, out, n, SQUARE: tl.constexpr, BLOCK: tl.constexpr):
    # SOLUTION: add up this program's blocks in float32, squared first where SQUARE says so: out[program_id]
    lanes = tl.zeros((BLOCK,), tl.float32)
    stride = tl.num_programs(0) * BLOCK
    for start in range(tl.program_id(0) * BLOCK, n, stride):
        offsets = start + tl.arange(0, BLOCK)
        v = tl.load(x + offsets, offsets < n, other=0.0).to(tl.float32)
        lanes += v * v if SQUARE else v
    tl.store(out + tl.program_id(0), tl.sum(lanes))
    # END SOLUTION


def solve(x, out, n):
    # SOLUTION: launch sum_kernel over x into a new float32 tensor of partial sums, then one program over those
    programs = min(triton.cdiv(n, BLOCK), PROGRAMS_PER_SM * sm_count())
    partial = torch.empty(programs, dtype=torch.float32, device=x.device)
    sum_kernel[(programs,)](x, partial, n, SQUARE=True, BLOCK=BLOCK, num_warps=4)
    sum_kernel[(1,)](partial, out, programs, SQUARE=False, BLOCK=BLOCK, num_warps=4)
    # END SOLUTION
