// Matrix product in mixed precision: out = a b, all row-major; a (m x k), b (k x n) and out (m x n) in float16.
//
// Idea   Tensor Cores: one instruction of a warp multiplies two 16 x 16 tiles of half-precision numbers, exactly, and
//        adds the products to a 16 x 16 tile of float32 sums that stays in registers. A block makes 128 x 256 outputs,
//        each of its 8 warps 64 x 64 of them. Tiles of a and b come through shared memory, copied asynchronously two
//        tiles ahead of the arithmetic.
// Bytes  2 (m k + k n + m n) at least; each element of a is read n / 256 times, each of b m / 128 times, most of that
//        from the L2 cache
// Flops  2 m n k
// Bound  compute: the Tensor Cores, at the rate of these instructions. The full rate of a Hopper card needs others,
//        which read their tiles from shared memory (level 6).

#include <cuda_fp16.h>
#include <cuda_pipeline.h>  // __pipeline_memcpy_async and what goes with it
#include <mma.h>            // nvcuda::wmma, matrix multiplication by a warp

using namespace nvcuda;

constexpr int BLOCK_M = 128;  // rows and
constexpr int BLOCK_N = 256;  // columns of out that a block makes, in steps of
constexpr int BLOCK_K = 64;   // terms of each sum
constexpr int WARP_M = 64;    // rows and
constexpr int WARP_N = 64;    // columns of a warp: 4 x 4 tiles of the Tensor Cores
constexpr int WARPS = (BLOCK_M / WARP_M) * (BLOCK_N / WARP_N);
constexpr int THREADS = 32 * WARPS;
constexpr int STAGES = 3;  // steps that have room in shared memory: one is worked on, two are on their way

// Eight halves more in each row move the next row four banks on: eight rows of 16 bytes, all 32 banks.
constexpr int A_STRIDE = BLOCK_K + 8;
constexpr int B_STRIDE = BLOCK_N + 8;
constexpr int A_TILE = BLOCK_M * A_STRIDE;  // halves
constexpr int B_TILE = BLOCK_K * B_STRIDE;

// TODO: write a __device__ function that copies a tile of a row-major matrix to shared memory, zeros past its edges

// One block of THREADS threads for each BLOCK_M x BLOCK_N outputs. Wants STAGES * (A_TILE + B_TILE) halves of dynamic
// shared memory. ALIGNED: n and k are multiples of eight.
template <bool ALIGNED>
__global__ void matmul_mixed(const half* __restrict__ a, const half* __restrict__ b, half* __restrict__ out, int m,
                             int n, int k) {
    // TODO: sums in fragments; for each step of BLOCK_K copy, wait, multiply; then round the sums and store them
}
