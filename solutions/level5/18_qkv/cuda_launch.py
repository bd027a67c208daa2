"""Host side of the QKV projection: a block of 8 warps for each 128 x 256 outputs of q, of k, and of v."""

from grader.cuda import cdiv, load

BLOCK_M, BLOCK_N, BLOCK_K = 128, 256, 64
THREADS = 256
STAGES = 3
SHARED = STAGES * 2 * (BLOCK_M + BLOCK_N) * (BLOCK_K + 8)  # bytes; rows are padded by eight elements

aligned = load("cuda_kernel.cu", "qkv<true>")  # dim and head_dim are multiples of eight
any_size = load("cuda_kernel.cu", "qkv<false>")


def solve(x, wq, wk, wv, q, k, v, batch, seq, dim, q_heads, kv_heads, head_dim):
    # SOLUTION: one launch for all three: along x the tiles of q, of k and of v, along y those of the tokens
    kernel = aligned if dim % 8 == 0 and head_dim % 8 == 0 else any_size
    tiles = cdiv(q_heads * head_dim, BLOCK_N) + 2 * cdiv(kv_heads * head_dim, BLOCK_N)
    grid = (tiles, cdiv(batch * seq, BLOCK_M))
    kernel[grid, THREADS](x, wq, wk, wv, q, k, v, batch, seq, dim, q_heads, kv_heads, head_dim, smem=SHARED)
    # END SOLUTION
