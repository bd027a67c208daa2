"""Matrix times vector: out = a x for row-major a (m x n); x has n elements, out has m.

Idea   a program owns a few rows and walks along them: each block of x is loaded once for all of them. Products are
       added up lane by lane in float32, and one number for each row is made of the lanes at the end.
Bytes  4 (m n + n + m) in float32 (a is read once; for x, DRAM is asked once)      Flops  2 m n
Bound  memory: half a flop for each byte. Reading at full bandwidth is the ceiling.
"""

import triton
import triton.language as tl

ROWS = 2
BLOCK = 1024


@triton.jit
def gemv_kernel(a, x, out, m, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    # TODO: for each block along this program's rows: multiply and add in float32; at the end a sum for each row
    pass


def solve(a, x, out, m, n):
    # TODO: launch gemv_kernel with a program for each ROWS rows
    pass
