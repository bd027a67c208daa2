"""Matrix product in mixed precision: out = a b, all row-major in float16 or bfloat16, sums in float32.

Idea   a program makes 128 x 256 outputs in steps of 64 terms: load a tile of a and one of b, and let tl.dot add their
       product to sums in float32. For half-precision tiles the compiler makes that Tensor Core instructions, and with
       num_stages it has the tiles of coming steps copied to shared memory meanwhile.
Bytes  2 (m k + k n + m n) at least; each element of a is read n / 256 times, each of b m / 128 times, most of that
       from the L2 cache
Flops  2 m n k
Bound  compute: the Tensor Cores.
"""

import triton
import triton.language as tl

from grader.cuda import sm_count


@triton.jit
def matmul_kernel(a, b, out, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    # TODO: axis 0 of the grid counts tiles along a row of out, axis 1 along a column: sum up in float32, store
    pass


def solve(a, b, out, m, n, k):
    # TODO: launch matmul_kernel with one program for each BLOCK_M x BLOCK_N outputs
    pass
