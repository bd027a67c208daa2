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

// SOLUTION: write __device__ functions: copy a tile to shared memory, zeros past the edges; store one by heads
// `matrix` has rows x cols elements; the tile's first is at (top, left), and it has ROWS x BLOCK_K. ALIGNED: cols is a
// multiple of eight, so that eight neighbours are 16 bytes that one asynchronous copy may move.
template <bool ALIGNED, int ROWS>
__device__ void copy_tile(bf16* tile, const bf16* matrix, int top, int left, int rows, int cols) {
    if (ALIGNED) {
#pragma unroll
        for (int round = 0; round < ROWS * BLOCK_K / 8 / THREADS; ++round) {
            const int i = round * THREADS + threadIdx.x;  // neighbouring threads: neighbouring bytes
            const int row = i / (BLOCK_K / 8);
            const int col = i % (BLOCK_K / 8) * 8;
            const bool inside = top + row < rows && left + col < cols;
            const bf16* from = matrix + static_cast<long long>(top + row) * cols + left + col;
            __pipeline_memcpy_async(tile + row * STRIDE + col, from, 16, inside ? 0 : 16);  // last: bytes of zeros
        }
    } else {
#pragma unroll 4
        for (int i = threadIdx.x; i < ROWS * BLOCK_K; i += THREADS) {
            const int row = i / BLOCK_K;
            const int col = i % BLOCK_K;
            const bool in_matrix = top + row < rows && left + col < cols;
            const long long from = static_cast<long long>(top + row) * cols + left + col;
            tile[row * STRIDE + col] = in_matrix ? matrix[from] : __float2bfloat16(0.0f);
        }
    }
}

// Rounds a warp's 16 x 16 sums and stores those that exist; the first is token `top`, column `left`. out is
// [batch, heads, seq, head_dim]. ALIGNED: head_dim is a multiple of eight, so that four neighbours are of one head.
template <bool ALIGNED>
__device__ void store_by_heads(bf16* out, const float* sums, int top, int left, int tokens, int seq, int heads,
                               int head_dim) {
    constexpr int EACH = ALIGNED ? 4 : 1;  // neighbours that a lane stores at once
#pragma unroll 1
    for (int part = threadIdx.x % 32; part < 16 * 16 / EACH; part += 32) {
        const int token = top + part / (16 / EACH);
        const int col = left + part % (16 / EACH) * EACH;
        if (token < tokens && col < heads * head_dim) {
            const long long head = static_cast<long long>(token / seq) * heads + col / head_dim;  // of all in the batch
            bf16* to = out + (head * seq + token % seq) * head_dim + col % head_dim;
            if (ALIGNED) {
                const float4 four = reinterpret_cast<const float4*>(sums)[part];
                __align__(8) const __nv_bfloat162 rounded[2] = {__floats2bfloat162_rn(four.x, four.y),
                                                                __floats2bfloat162_rn(four.z, four.w)};
                *reinterpret_cast<uint2*>(to) = *reinterpret_cast<const uint2*>(rounded);
            } else {
                *to = __float2bfloat16(sums[part]);
            }
        }
    }
}
// END SOLUTION

// One block of THREADS threads for each BLOCK_M x BLOCK_N outputs, along x those of q, then of k, then of v. Wants
// STAGES * STAGE elements of dynamic shared memory. ALIGNED: dim and head_dim are multiples of eight.
template <bool ALIGNED>
__global__ void __launch_bounds__(THREADS)
    qkv(const bf16* __restrict__ x, const bf16* __restrict__ wq, const bf16* __restrict__ wk,
        const bf16* __restrict__ wv, bf16* __restrict__ q, bf16* __restrict__ k, bf16* __restrict__ v, int batch,
        int seq, int dim, int q_heads, int kv_heads, int head_dim) {
    // SOLUTION: find this block's matrix; sums in fragments, step by step as in matmul_mixed; store them by heads
    extern __shared__ __align__(128) bf16 tiles[];  // for each stage rows of x, then rows of the weights
    __shared__ __align__(128) float staging[WARPS][16 * 16];

    const int q_tiles = (q_heads * head_dim + BLOCK_N - 1) / BLOCK_N;
    const int kv_tiles = (kv_heads * head_dim + BLOCK_N - 1) / BLOCK_N;
    int tile = blockIdx.x;  // of q, until it turns out to be one of k or v
    int heads = q_heads;
    const bf16* w = wq;
    bf16* out = q;
    if (tile >= q_tiles) {
        const bool is_k = tile < q_tiles + kv_tiles;
        tile -= is_k ? q_tiles : q_tiles + kv_tiles;
        heads = kv_heads;
        w = is_k ? wk : wv;
        out = is_k ? k : v;
    }

    const int tokens = batch * seq;
    const int top = blockIdx.y * BLOCK_M;
    const int left = tile * BLOCK_N;
    const int warp = threadIdx.x / 32;
    const int warp_row = warp / (BLOCK_N / WARP_N) * WARP_M;  // the warp's corner in the block
    const int warp_col = warp % (BLOCK_N / WARP_N) * WARP_N;

    auto copy_step = [&](int step) {
        bf16* place = tiles + step % STAGES * STAGE;
        copy_tile<ALIGNED, BLOCK_M>(place, x, top, step * BLOCK_K, tokens, dim);
        copy_tile<ALIGNED, BLOCK_N>(place + X_TILE, w, left, step * BLOCK_K, heads * head_dim, dim);
    };

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[WARP_M / 16][WARP_N / 16];
#pragma unroll
    for (int i = 0; i < WARP_M / 16; ++i) {
#pragma unroll
        for (int j = 0; j < WARP_N / 16; ++j) {
            wmma::fill_fragment(sums[i][j], 0.0f);
        }
    }

    const int steps = (dim + BLOCK_K - 1) / BLOCK_K;
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

        const bf16* x_tile = tiles + step % STAGES * STAGE + warp_row * STRIDE;
        const bf16* w_tile = tiles + step % STAGES * STAGE + X_TILE + warp_col * STRIDE;
#pragma unroll
        for (int inner = 0; inner < BLOCK_K; inner += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> x_part[WARP_M / 16];
#pragma unroll
            for (int i = 0; i < WARP_M / 16; ++i) {
                wmma::load_matrix_sync(x_part[i], x_tile + i * 16 * STRIDE + inner, STRIDE);
            }
#pragma unroll
            for (int j = 0; j < WARP_N / 16; ++j) {
                // A row of weights is a column of the factor, with its terms side by side: column-major.
                wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::col_major> w_part;
                wmma::load_matrix_sync(w_part, w_tile + j * 16 * STRIDE + inner, STRIDE);
#pragma unroll
                for (int i = 0; i < WARP_M / 16; ++i) {
                    wmma::mma_sync(sums[i][j], x_part[i], w_part, sums[i][j]);
                }
            }
        }
    }

    // Which lane holds which element of a fragment is the hardware's affair; in shared memory each has its place.
#pragma unroll
    for (int i = 0; i < WARP_M / 16; ++i) {
#pragma unroll
        for (int j = 0; j < WARP_N / 16; ++j) {
            wmma::store_matrix_sync(staging[warp], sums[i][j], 16, wmma::mem_row_major);
            __syncwarp();  // the lanes read what others have written
            const int token = top + warp_row + i * 16;
            const int col = left + warp_col + j * 16;
            store_by_heads<ALIGNED>(out, staging[warp], token, col, tokens, seq, heads, head_dim);
            __syncwarp();  // all have read it: the next tile may come
        }
    }
    // END SOLUTION
}
