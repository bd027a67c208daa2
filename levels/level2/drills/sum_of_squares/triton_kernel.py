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
    # TODO: add up this program's blocks in float32, squared first where SQUARE says so: out[program_id]
    pass


def solve(x, out, n):
    # TODO: launch sum_kernel over x into a new float32 tensor of partial sums, then one program over those
    pass
