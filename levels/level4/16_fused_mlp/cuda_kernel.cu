// MLP of Llama and Qwen: out = (silu(x w_gate^T) * (x w_up^T)) w_down^T, all row-major in bfloat16, sums in float32.
// x is (tokens x dim), w_gate and w_up are (hidden x dim), w_down is (dim x hidden), out is (tokens x dim).
//
// Idea   the kernel of matmul_mixed, launched twice. A block makes two tiles of 128 x 128 sums. In the first launch
//        they are gate and up of the same places, so that each warp holds both in registers when they are done, and
//        stores only h = silu(gate) * up. In the second launch, h times w_down, they are neighbours. Weights lie as
//        nn.Linear holds them: a row for each output, its terms side by side, so that all tiles are copied alike.
// Bytes  4 tokens hidden for h, written and read; 2 (2 tokens dim + 3 dim hidden) for the rest, at least
// Flops  6 tokens dim hidden
// Bound  compute: the Tensor Cores, at the rate of these instructions (level 6 has faster ones).

#include <cuda_bf16.h>
#include <cuda_pipeline.h>  // __pipeline_memcpy_async and what goes with it
#include <mma.h>            // nvcuda::wmma, matrix multiplication by a warp

using namespace nvcuda;
using bf16 = __nv_bfloat16;

constexpr int BLOCK_M = 128;  // rows and
constexpr int BLOCK_N = 128;  // columns of each of a block's two tiles of sums, made in steps of
constexpr int BLOCK_K = 64;   // terms
constexpr int WARP_M = 64;    // rows and
constexpr int WARP_N = 32;    // columns that a warp has of each: 4 x 2 tiles of the Tensor Cores
constexpr int WARPS = (BLOCK_M / WARP_M) * (BLOCK_N / WARP_N);
constexpr int THREADS = 32 * WARPS;
constexpr int STAGES = 3;  // steps that have room in shared memory: one is worked on, two are on their way

constexpr int STRIDE = BLOCK_K + 8;  // a row of a tile in shared memory: eight more move the next row four banks on
constexpr int A_TILE = BLOCK_M * STRIDE;
constexpr int W_TILE = BLOCK_N * STRIDE;
constexpr int STAGE = A_TILE + 2 * W_TILE;

// TODO: write __device__ functions: copy a tile to shared memory, zeros past the edges; store one; silu times up

// out (m x n) = a (m x k) times w (n x k) transposed; or, if gated, silu(a w^T) * (a w_up^T). A block of THREADS
// threads for each BLOCK_M x 2 * BLOCK_N outputs; if gated, for each BLOCK_M x BLOCK_N. Wants STAGES * STAGE elements
// of dynamic shared memory. ALIGNED: n and k are multiples of eight.
template <bool ALIGNED>
__global__ void project(const bf16* __restrict__ a, const bf16* __restrict__ w, const bf16* __restrict__ w_up,
                        bf16* __restrict__ out, int m, int n, int k, bool gated) {
    // TODO: two tiles of sums in fragments; for each step copy, wait, multiply; gate and up to one; round, store
}
