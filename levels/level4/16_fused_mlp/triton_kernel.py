"""MLP of Llama and Qwen: out = (silu(x w_gate^T) * (x w_up^T)) w_down^T, all row-major in bfloat16, sums in float32.

x is (tokens x dim), w_gate and w_up are (hidden x dim), w_down is (dim x hidden), out is (tokens x dim).

Idea   two kernels. The first makes a tile of gate and the same tile of up with one walk over x, and does SiLU and
       product as an *epilogue*, on the sums in its registers: gate and up never exist in memory, h = silu(gate) * up
       does. The second multiplies h by w_down. Programs are numbered in groups, so that those that run together share
       tiles in the L2 cache.
Bytes  4 tokens hidden for h, written and read; 2 (2 tokens dim + 3 dim hidden) for the rest, at least
Flops  6 tokens dim hidden
Bound  compute: the Tensor Cores.
"""

import triton
import triton.language as tl

from grader.cuda import sm_count

GROUP = 16  # rows of tiles in a group


@triton.jit
def corner(rows, cols, GROUP: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    # TODO: return row and column at which this program's tile of a (rows x cols) matrix begins
    pass


@triton.jit
def gate_up_kernel(
    x,
    w_gate,
    w_up,
    h,
    tokens,
    dim,
    hidden,
    GROUP: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    # TODO: sums of gate and of up for this tile from the same tiles of x; store silu(gate) * up
    pass


@triton.jit
def down_kernel(
    h,
    w_down,
    out,
    tokens,
    dim,
    hidden,
    GROUP: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    # TODO: the matrix product h w_down^T, tile by tile
    pass


def solve(x, w_gate, w_up, w_down, out, tokens, dim, hidden):
    # TODO: room for h; launch gate_up_kernel over its tiles, then down_kernel over those of out
    pass
