"""Mean of every row of a row-major matrix.

Idea   a program owns a row: it walks over its blocks, adds them up lane by lane in float32, and makes one number of
       the lanes at the end.
Bytes  4 rows cols in float32 (each element once)      Flops  rows cols
Bound  memory: reading at full bandwidth is the ceiling; there must be enough rows to fill the card with programs.
"""

import triton
import triton.language as tl

MAX_BLOCK = 4096


@triton.jit
def mean_kernel(x, out, cols, BLOCK: tl.constexpr):
    # SOLUTION: add up this program's row in float32, block by block, and store the mean
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, cols, BLOCK):
        col = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * cols + col, col < cols, other=0.0).to(tl.float32)
    tl.store(out + row, tl.sum(total) / cols)
    # END SOLUTION


def solve(x, out, rows, cols):
    # SOLUTION: launch mean_kernel with a program for each row, the block no larger than the row needs
    BLOCK = min(MAX_BLOCK, triton.next_power_of_2(cols))
    mean_kernel[(rows,)](x, out, cols, BLOCK=BLOCK, num_warps=4)
    # END SOLUTION
