"""Naive: three launches, and no Tensor Cores: tiles are converted to float32 before they are multiplied."""

import triton
import triton.language as tl


@triton.jit
def project_kernel(x, w, out, tokens, seq, dim, heads, head_dim, TILE: tl.constexpr):
    token = tl.program_id(1) * TILE + tl.arange(0, TILE)
    col = tl.program_id(0) * TILE + tl.arange(0, TILE)
    sums = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, dim, TILE):
        i = start + tl.arange(0, TILE)
        in_x, in_w = (
            (token < tokens)[:, None] & (i < dim)[None, :],
            (i < dim)[:, None] & (col < heads * head_dim)[None, :],
        )
        left = tl.load(x + token[:, None] * dim + i[None, :], in_x, other=0.0)
        right = tl.load(w + col[None, :] * dim + i[:, None], in_w, other=0.0)
        sums = tl.dot(left.to(tl.float32), right.to(tl.float32), sums, input_precision="ieee")
    row = (token // seq * heads)[:, None] + (col // head_dim)[None, :]
    place = (row * seq + (token % seq)[:, None]) * head_dim + (col % head_dim)[None, :]
    tl.store(out + place, sums, (token < tokens)[:, None] & (col < heads * head_dim)[None, :])


def solve(x, wq, wk, wv, q, k, v, batch, seq, dim, q_heads, kv_heads, head_dim):
    TILE = 32
    for w, out, heads in ((wq, q, q_heads), (wk, k, kv_heads), (wv, v, kv_heads)):
        grid = (triton.cdiv(heads * head_dim, TILE), triton.cdiv(batch * seq, TILE))
        project_kernel[grid](x, w, out, batch * seq, seq, dim, heads, head_dim, TILE=TILE, num_stages=1)
