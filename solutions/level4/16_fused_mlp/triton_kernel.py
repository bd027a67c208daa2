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
    # SOLUTION: return row and column at which this program's tile of a (rows x cols) matrix begins
    tiles_m, tiles_n = tl.cdiv(rows, BLOCK_M), tl.cdiv(cols, BLOCK_N)
    group = tl.program_id(0) // (GROUP * tiles_n)
    number = tl.program_id(0) % (GROUP * tiles_n)  # within the group, which is numbered down its columns
    height = min(tiles_m - group * GROUP, GROUP)  # the last group may have fewer rows of tiles
    return (group * GROUP + number % height) * BLOCK_M, number // height * BLOCK_N
    # END SOLUTION


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
    # SOLUTION: sums of gate and of up for this tile from the same tiles of x; store silu(gate) * up
    top, left = corner(tokens, hidden, GROUP, BLOCK_M, BLOCK_N)
    row = top + tl.arange(0, BLOCK_M)
    col = left + tl.arange(0, BLOCK_N)
    term = tl.arange(0, BLOCK_K)
    # Rows past the end begin again at 0: their sums are made of something, and dropped. Only the terms need a mask.
    x_tile = x + (row % tokens).to(tl.int64)[:, None] * dim + term[None, :]
    w_tile = (col % hidden).to(tl.int64)[None, :] * dim + term[:, None]  # a row of w is a column of its transpose
    gate = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    up = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, dim, BLOCK_K):
        inside = term < dim - start
        a = tl.load(x_tile, inside[None, :], other=0.0)
        gate = tl.dot(a, tl.load(w_gate + w_tile, inside[:, None], other=0.0), gate)
        up = tl.dot(a, tl.load(w_up + w_tile, inside[:, None], other=0.0), up)
        x_tile += BLOCK_K
        w_tile += BLOCK_K
    value = gate / (1.0 + tl.exp(-gate)) * up
    place = row.to(tl.int64)[:, None] * hidden + col[None, :]
    tl.store(h + place, value.to(h.dtype.element_ty), (row < tokens)[:, None] & (col < hidden)[None, :])
    # END SOLUTION


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
    # SOLUTION: the matrix product h w_down^T, tile by tile
    top, left = corner(tokens, dim, GROUP, BLOCK_M, BLOCK_N)
    row = top + tl.arange(0, BLOCK_M)
    col = left + tl.arange(0, BLOCK_N)
    term = tl.arange(0, BLOCK_K)
    h_tile = h + (row % tokens).to(tl.int64)[:, None] * hidden + term[None, :]
    w_tile = w_down + (col % dim).to(tl.int64)[None, :] * hidden + term[:, None]
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, hidden, BLOCK_K):
        inside = term < hidden - start
        a = tl.load(h_tile, inside[None, :], other=0.0)
        w = tl.load(w_tile, inside[:, None], other=0.0)
        sums = tl.dot(a, w, sums)
        h_tile += BLOCK_K
        w_tile += BLOCK_K
    place = row.to(tl.int64)[:, None] * dim + col[None, :]
    tl.store(out + place, sums.to(out.dtype.element_ty), (row < tokens)[:, None] & (col < dim)[None, :])
    # END SOLUTION


def solve(x, w_gate, w_up, w_down, out, tokens, dim, hidden):
    # SOLUTION: room for h; launch gate_up_kernel over its tiles, then down_kernel over those of out
    h = x.new_empty(tokens, hidden)

    def launch(kernel, arguments, cols, BLOCK_M, BLOCK_N):
        BLOCK_K, warps = 64, 8
        tiles = triton.cdiv(tokens, BLOCK_M) * triton.cdiv(cols, BLOCK_N)
        if tiles <= sm_count():  # not enough to do for all: smaller tiles
            BLOCK_M, BLOCK_N, BLOCK_K, warps = 64, 32, 32, 4
            tiles = triton.cdiv(tokens, BLOCK_M) * triton.cdiv(cols, BLOCK_N)
        blocks = (GROUP, BLOCK_M, BLOCK_N, BLOCK_K)
        kernel[(tiles,)](*arguments, tokens, dim, hidden, *blocks, num_warps=warps, num_stages=3)

    launch(gate_up_kernel, (x, w_gate, w_up, h), hidden, 128, 128)  # two sums for each place: as many as 256 x 128
    launch(down_kernel, (h, w_down, out), dim, 256, 128)
    # END SOLUTION
