// Projections of attention: q = x wq^T, k = x wk^T, v = x wv^T in bfloat16, sums in float32. x is (batch seq x dim), wq is
// (q_heads head_dim x dim), wk and wv are (kv_heads head_dim x dim); q, k, v are [batch, heads, seq, head_dim].
//
// Idea   the kernel of matmul_mixed, once, over the columns of q, k and v side by side: a block belongs to one of the
//        three, and finds out which from its number. Weights lie as nn.Linear holds them, a row for each output. What
//        is new is the end, the *epilogue*: each sum is stored where its head wants it, so that nobody transposes.
// Bytes  2 (tokens dim + columns dim + tokens columns) at least, of tokens = batch seq and all columns of q, k and v
// Flops  2 tokens dim columns
// Bound  compute: the Tensor Cores, at the rate of these instructions (level 6 has faster ones).

#include <cuda_bf16.h>
#include <cuda_pipeline.h>  // __pipeline_memcpy_async and what goes with it
#include <mma.h>            // nvcuda::wmma, matrix multiplication by a warp

using namespace nvcuda;
using bf16 = __nv_bfloat16;

constexpr int BLOCK_M = 128;  // tokens and
constexpr int BLOCK_N = 256;  // columns of q, k or v that a block makes, in steps of
constexpr int BLOCK_K = 64;   // terms of each sum
constexpr int WARP_M = 64;    // tokens and
constexpr int WARP_N = 64;    // columns of a warp: 4 x 4 tiles of the Tensor Cores
constexpr int WARPS = (BLOCK_M / WARP_M) * (BLOCK_N / WARP_N);
constexpr int THREADS = 32 * WARPS;
constexpr int STAGES = 3;  // steps that have room in shared memory: one is worked on, two are on their way

constexpr int STRIDE = BLOCK_K + 8;  // a row of a tile in shared memory: eight more move the next row four banks on
constexpr int X_TILE = BLOCK_M * STRIDE;
constexpr int W_TILE = BLOCK_N * STRIDE;
constexpr int STAGE = X_TILE + W_TILE;

// TODO: write __device__ functions: copy a tile to shared memory, zeros past the edges; store one by heads

// One block of THREADS threads for each BLOCK_M x BLOCK_N outputs, along x those of q, then of k, then of v. Wants
// STAGES * STAGE elements of dynamic shared memory. ALIGNED: dim and head_dim are multiples of eight.
template <bool ALIGNED>
__global__ void __launch_bounds__(THREADS)
    qkv(const bf16* __restrict__ x, const bf16* __restrict__ wq, const bf16* __restrict__ wk,
        const bf16* __restrict__ wv, bf16* __restrict__ q, bf16* __restrict__ k, bf16* __restrict__ v, int batch,
        int seq, int dim, int q_heads, int kv_heads, int head_dim) {
    // TODO: find this block's matrix; sums in fragments, step by step as in matmul_mixed; store them by heads
}
