"""Bias and GELU: out[row][col] = gelu(x[row][col] + bias[col]), all row-major.

Idea   treat the matrix as one vector; the column, and with it the bias, is the offset modulo the row's length.
Bytes  8 rows cols in float32 (one read, one write; the bias stays in the caches)      Flops  6 rows cols
Bound  memory: the copy bandwidth is the ceiling.
"""

import triton
import triton.language as tl


@triton.jit
def bias_gelu_kernel(x, bias, out, n, cols, BLOCK: tl.constexpr):
    # TODO: load a block of x and the biases of its columns as float32, store the exact GELU of their sum
    pass


def solve(x, bias, out, rows, cols):
    # TODO: launch bias_gelu_kernel over enough programs for all rows * cols elements
    pass
