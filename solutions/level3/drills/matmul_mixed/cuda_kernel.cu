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

// SOLUTION: write a __device__ function that copies a tile of a row-major matrix to shared memory, zeros past its edges
// `matrix` has rows x cols elements; the tile's first is at (top, left). ALIGNED: cols is a multiple of eight, so that
// eight neighbours are 16 bytes that one asynchronous copy may move, and lie inside the matrix or outside as a whole.
template <bool ALIGNED, int ROWS, int COLS, int STRIDE>
__device__ void copy_tile(half* tile, const half* matrix, int top, int left, int rows, int cols) {
#pragma unroll
    for (int round = 0; round < ROWS * COLS / 8 / THREADS; ++round) {
        const int i = round * THREADS + threadIdx.x;  // neighbouring threads: neighbouring bytes
        const int row = i / (COLS / 8);
        const int col = i % (COLS / 8) * 8;
        const half* from = matrix + static_cast<long long>(top + row) * cols + left + col;
        half* to = tile + row * STRIDE + col;
        if (ALIGNED) {
            const bool inside = top + row < rows && left + col < cols;
            __pipeline_memcpy_async(to, from, 16, inside ? 0 : 16);  // the last: how many of the bytes are only zeros
        } else {
            for (int j = 0; j < 8; ++j) {
                to[j] = top + row < rows && left + col + j < cols ? from[j] : __float2half(0.0f);
            }
        }
    }
}
// END SOLUTION

// One block of THREADS threads for each BLOCK_M x BLOCK_N outputs. Wants STAGES * (A_TILE + B_TILE) halves of dynamic
// shared memory. ALIGNED: n and k are multiples of eight.
template <bool ALIGNED>
__global__ void matmul_mixed(const half* __restrict__ a, const half* __restrict__ b, half* __restrict__ out, int m,
                             int n, int k) {
    // SOLUTION: sums in fragments; for each step of BLOCK_K copy, wait, multiply; then round the sums and store them
    extern __shared__ __align__(128) half tiles[];  // for each stage a tile of a, then one of b
    __shared__ __align__(128) float staging[WARPS][16 * 16];

    const int top = blockIdx.y * BLOCK_M;
    const int left = blockIdx.x * BLOCK_N;
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int warp_row = warp / (BLOCK_N / WARP_N) * WARP_M;  // the warp's corner in the block
    const int warp_col = warp % (BLOCK_N / WARP_N) * WARP_N;

    auto copy_step = [&](int step) {
        half* tile = tiles + step % STAGES * (A_TILE + B_TILE);
        copy_tile<ALIGNED, BLOCK_M, BLOCK_K, A_STRIDE>(tile, a, top, step * BLOCK_K, m, k);
        copy_tile<ALIGNED, BLOCK_K, BLOCK_N, B_STRIDE>(tile + A_TILE, b, step * BLOCK_K, left, k, n);
    };

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[WARP_M / 16][WARP_N / 16];
#pragma unroll
    for (int i = 0; i < WARP_M / 16; ++i) {
#pragma unroll
        for (int j = 0; j < WARP_N / 16; ++j) {
            wmma::fill_fragment(sums[i][j], 0.0f);
        }
    }

    const int steps = (k + BLOCK_K - 1) / BLOCK_K;
    for (int step = 0; step < STAGES - 1; ++step) {
        if (step < steps) {
            copy_step(step);
        }
        __pipeline_commit();  // one group for each step, be it empty: so that counting groups counts steps
    }
    for (int step = 0; step < steps; ++step) {
        __pipeline_wait_prior(STAGES - 2);  // this thread's share of the step has come,
        __syncthreads();                    // everybody's has, and nobody is still at work on the step before,
        if (step + STAGES - 1 < steps) {    // whose place is the next to be filled
            copy_step(step + STAGES - 1);
        }
        __pipeline_commit();

        const half* a_tile = tiles + step % STAGES * (A_TILE + B_TILE) + warp_row * A_STRIDE;
        const half* b_tile = tiles + step % STAGES * (A_TILE + B_TILE) + A_TILE + warp_col;
#pragma unroll
        for (int inner = 0; inner < BLOCK_K; inner += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a_part[WARP_M / 16];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b_part[WARP_N / 16];
#pragma unroll
            for (int i = 0; i < WARP_M / 16; ++i) {
                wmma::load_matrix_sync(a_part[i], a_tile + i * 16 * A_STRIDE + inner, A_STRIDE);
            }
#pragma unroll
            for (int j = 0; j < WARP_N / 16; ++j) {
                wmma::load_matrix_sync(b_part[j], b_tile + inner * B_STRIDE + j * 16, B_STRIDE);
            }
#pragma unroll
            for (int i = 0; i < WARP_M / 16; ++i) {  // 8 tiles loaded, 16 products made of them
#pragma unroll
                for (int j = 0; j < WARP_N / 16; ++j) {
                    wmma::mma_sync(sums[i][j], a_part[i], b_part[j], sums[i][j]);
                }
            }
        }
    }

    // Which lane holds which element of a fragment is the hardware's affair. Through shared memory each lane gets four
    // neighbours at a time, rounds them and, where they are out's, stores them.
#pragma unroll
    for (int i = 0; i < WARP_M / 16; ++i) {
#pragma unroll
        for (int j = 0; j < WARP_N / 16; ++j) {
            wmma::store_matrix_sync(staging[warp], sums[i][j], 16, wmma::mem_row_major);
            __syncwarp();  // the lanes read what others have written
#pragma unroll
            for (int part = lane; part < 16 * 16 / 4; part += 32) {
                const float4 four = reinterpret_cast<const float4*>(staging[warp])[part];
                __align__(8) const half rounded[4] = {__float2half(four.x), __float2half(four.y), __float2half(four.z),
                                         __float2half(four.w)};
                const int row = top + warp_row + i * 16 + part / 4;
                const int col = left + warp_col + j * 16 + part % 4 * 4;
                half* to = out + static_cast<long long>(row) * n + col;
                if (ALIGNED && row < m && col < n) {
                    *reinterpret_cast<uint2*>(to) = *reinterpret_cast<const uint2*>(rounded);
                } else if (!ALIGNED && row < m) {
                    for (int x = 0; x < 4 && col + x < n; ++x) {
                        to[x] = rounded[x];
                    }
                }
            }
            __syncwarp();  // all have read it: the next tile may come
        }
    }
    // END SOLUTION
}
