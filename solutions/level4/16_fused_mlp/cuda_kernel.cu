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

// SOLUTION: write __device__ functions: copy a tile to shared memory, zeros past the edges; store one; silu times up
// `matrix` has rows x cols elements; the tile's first is at (top, left), and it has 128 x BLOCK_K. ALIGNED: cols is a
// multiple of eight, so that eight neighbours are 16 bytes that one asynchronous copy may move.
template <bool ALIGNED>
__device__ void copy_tile(bf16* tile, const bf16* matrix, int top, int left, int rows, int cols) {
    static_assert(BLOCK_M == BLOCK_N, "all tiles have as many rows");
    if (ALIGNED) {
#pragma unroll
        for (int round = 0; round < BLOCK_M * BLOCK_K / 8 / THREADS; ++round) {
            const int i = round * THREADS + threadIdx.x;  // neighbouring threads: neighbouring bytes
            const int row = i / (BLOCK_K / 8);
            const int col = i % (BLOCK_K / 8) * 8;
            const bool inside = top + row < rows && left + col < cols;
            const bf16* from = matrix + static_cast<long long>(top + row) * cols + left + col;
            __pipeline_memcpy_async(tile + row * STRIDE + col, from, 16, inside ? 0 : 16);  // last: bytes of zeros
        }
    } else {
#pragma unroll 4
        for (int i = threadIdx.x; i < BLOCK_M * BLOCK_K; i += THREADS) {
            const int row = i / BLOCK_K;
            const int col = i % BLOCK_K;
            const bool inside = top + row < rows && left + col < cols;
            const long long from = static_cast<long long>(top + row) * cols + left + col;
            tile[row * STRIDE + col] = inside ? matrix[from] : __float2bfloat16(0.0f);
        }
    }
}

// Rounds a warp's 16 x 16 sums and stores those that lie inside of out; the first is at (top, left) there.
template <bool ALIGNED>
__device__ void store_tile(bf16* out, const float* sums, int top, int left, int m, int n) {
    const int lane = threadIdx.x % 32;
    if (ALIGNED) {
#pragma unroll
        for (int part = lane; part < 16 * 16 / 4; part += 32) {  // four neighbours for each lane at a time
            const float4 four = reinterpret_cast<const float4*>(sums)[part];
            __align__(8) const __nv_bfloat162 rounded[2] = {__floats2bfloat162_rn(four.x, four.y),
                                                            __floats2bfloat162_rn(four.z, four.w)};
            const int row = top + part / 4;
            const int col = left + part % 4 * 4;
            if (row < m && col < n) {
                *reinterpret_cast<uint2*>(out + static_cast<long long>(row) * n + col) =
                    *reinterpret_cast<const uint2*>(rounded);
            }
        }
    } else {
#pragma unroll 1
        for (int i = lane; i < 16 * 16; i += 32) {
            const int row = top + i / 16;
            const int col = left + i % 16;
            if (row < m && col < n) {
                out[static_cast<long long>(row) * n + col] = __float2bfloat16(sums[i]);
            }
        }
    }
}

__device__ float swiglu_of(float gate, float up) {
    return __fdividef(gate, 1.0f + __expf(-gate)) * up;  // gate < -88: a quotient by infinity, the right 0
}
// END SOLUTION

// out (m x n) = a (m x k) times w (n x k) transposed; or, if gated, silu(a w^T) * (a w_up^T). A block of THREADS
// threads for each BLOCK_M x 2 * BLOCK_N outputs; if gated, for each BLOCK_M x BLOCK_N. Wants STAGES * STAGE elements
// of dynamic shared memory. ALIGNED: n and k are multiples of eight.
template <bool ALIGNED>
__global__ void project(const bf16* __restrict__ a, const bf16* __restrict__ w, const bf16* __restrict__ w_up,
                        bf16* __restrict__ out, int m, int n, int k, bool gated) {
    // SOLUTION: two tiles of sums in fragments; for each step copy, wait, multiply; gate and up to one; round, store
    extern __shared__ __align__(128) bf16 tiles[];  // for each stage rows of a, of w, and of w_up or again of w
    __shared__ __align__(128) float staging[WARPS][16 * 16];

    const int top = blockIdx.y * BLOCK_M;
    const int left = blockIdx.x * (gated ? BLOCK_N : 2 * BLOCK_N);  // of the first tile, and of the
    const int left2 = gated ? left : left + BLOCK_N;                // second: the same columns, of up; or the next
    const bf16* w2 = gated ? w_up : w;
    const int warp = threadIdx.x / 32;
    const int warp_row = warp / (BLOCK_N / WARP_N) * WARP_M;  // the warp's corner in both tiles
    const int warp_col = warp % (BLOCK_N / WARP_N) * WARP_N;

    auto copy_step = [&](int step) {
        bf16* tile = tiles + step % STAGES * STAGE;
        copy_tile<ALIGNED>(tile, a, top, step * BLOCK_K, m, k);
        copy_tile<ALIGNED>(tile + A_TILE, w, left, step * BLOCK_K, n, k);
        copy_tile<ALIGNED>(tile + A_TILE + W_TILE, w2, left2, step * BLOCK_K, n, k);
    };

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][WARP_M / 16][WARP_N / 16];
#pragma unroll
    for (int i = 0; i < WARP_M / 16; ++i) {
#pragma unroll
        for (int j = 0; j < WARP_N / 16; ++j) {
            wmma::fill_fragment(sums[0][i][j], 0.0f);
            wmma::fill_fragment(sums[1][i][j], 0.0f);
        }
    }

    const int steps = (k + BLOCK_K - 1) / BLOCK_K;
#pragma unroll 1
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

        const bf16* a_tile = tiles + step % STAGES * STAGE + warp_row * STRIDE;
        const bf16* w_tile = tiles + step % STAGES * STAGE + A_TILE + warp_col * STRIDE;
#pragma unroll
        for (int inner = 0; inner < BLOCK_K; inner += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> a_part[WARP_M / 16];
#pragma unroll
            for (int i = 0; i < WARP_M / 16; ++i) {
                wmma::load_matrix_sync(a_part[i], a_tile + i * 16 * STRIDE + inner, STRIDE);
            }
#pragma unroll
            for (int half = 0; half < 2; ++half) {
#pragma unroll
                for (int j = 0; j < WARP_N / 16; ++j) {
                    // A row of weights is a column of the factor, with its terms side by side: column-major.
                    wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::col_major> w_part;
                    wmma::load_matrix_sync(w_part, w_tile + half * W_TILE + j * 16 * STRIDE + inner, STRIDE);
#pragma unroll
                    for (int i = 0; i < WARP_M / 16; ++i) {
                        wmma::mma_sync(sums[half][i][j], a_part[i], w_part, sums[half][i][j]);
                    }
                }
            }
        }
    }

    // Which lane holds which element of a fragment is the hardware's affair, but it is the same in all accumulators:
    // gate and up of one place meet in one lane. To store, each lane gets four neighbours by way of shared memory.
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        if (gated && half == 1) {
            break;  // it went into the first
        }
#pragma unroll
        for (int i = 0; i < WARP_M / 16; ++i) {
#pragma unroll
            for (int j = 0; j < WARP_N / 16; ++j) {
                if (gated) {
#pragma unroll
                    for (int e = 0; e < sums[0][i][j].num_elements; ++e) {
                        sums[0][i][j].x[e] = swiglu_of(sums[0][i][j].x[e], sums[1][i][j].x[e]);
                    }
                }
                wmma::store_matrix_sync(staging[warp], sums[half][i][j], 16, wmma::mem_row_major);
                __syncwarp();  // the lanes read what others have written
                const int row = top + warp_row + i * 16;
                const int col = (half ? left2 : left) + warp_col + j * 16;
                store_tile<ALIGNED>(out, staging[warp], row, col, m, n);
                __syncwarp();  // all have read it: the next tile may come
            }
        }
    }
    // END SOLUTION
}
