"""Mish: out[i] = x[i] * tanh(softplus(x[i])), softplus(x) = log(1 + exp(x)).

Idea   a @triton.jit function that a kernel calls is Triton's __device__ function: it is inlined.
Bytes  8 n in float32 (one read, one write)      Flops  7 n, counting exp and log as one each
Bound  memory, but not by much: the special functions take nearly as long as the bytes.
"""

import triton
import triton.language as tl


@triton.jit
def softplus(x):
    # SOLUTION: return log(1 + exp(x)) of a block, without overflow and without losing small values
    t = tl.exp(-tl.abs(x))
    log1p = tl.where(t < 1e-4, t - 0.5 * t * t, tl.log(1 + t))
    return tl.maximum(x, 0.0) + log1p
    # END SOLUTION


@triton.jit
def tanh(s):
    # SOLUTION: return the hyperbolic tangent of a block that holds nothing negative
    e = tl.exp(-2 * s)
    return tl.where(s < 0.01, s - s * s * s / 3, (1 - e) / (1 + e))
    # END SOLUTION


@triton.jit
def mish_kernel(x, out, n, BLOCK: tl.constexpr):
    # SOLUTION: load this program's block as float32, store its Mish
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    v = tl.load(x + offsets, mask).to(tl.float32)
    tl.store(out + offsets, v * tanh(softplus(v)), mask)
    # END SOLUTION


def solve(x, out, n):
    # SOLUTION: launch mish_kernel over enough programs to cover n
    BLOCK = 1024
    mish_kernel[(triton.cdiv(n, BLOCK),)](x, out, n, BLOCK=BLOCK)
    # END SOLUTION
