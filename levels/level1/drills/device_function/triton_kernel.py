"""Mish: out[i] = x[i] * tanh(softplus(x[i])), softplus(x) = log(1 + exp(x)).

Idea   a @triton.jit function that a kernel calls is Triton's __device__ function: it is inlined.
Bytes  8 n in float32 (one read, one write)      Flops  7 n, counting exp and log as one each
Bound  memory, but not by much: the special functions take nearly as long as the bytes.
"""

import triton
import triton.language as tl


@triton.jit
def softplus(x):
    # TODO: return log(1 + exp(x)) of a block, without overflow and without losing small values
    pass


@triton.jit
def tanh(s):
    # TODO: return the hyperbolic tangent of a block that holds nothing negative
    pass


@triton.jit
def mish_kernel(x, out, n, BLOCK: tl.constexpr):
    # TODO: load this program's block as float32, store its Mish
    pass


def solve(x, out, n):
    # TODO: launch mish_kernel over enough programs to cover n
    pass
