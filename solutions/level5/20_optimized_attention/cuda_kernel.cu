// Causal attention in one kernel: out = softmax(q k^T / sqrt(DIM)) v for each head, a query sees keys up to its own.
//
// Idea   a block owns 64 queries of a head, 16 for each of its 4 warps, and walks over the keys in tiles of 64.
//        Scores exist for one tile at a time. The softmax is online: largest score, sum and weighted sum of the tiles
//        so far are enough, and where the largest grows, both sums are scaled down to match. Both products run on
//        Tensor Cores, and the next tile of keys and values is copied meanwhile.
// Bytes  8 batch heads seq DIM at least (q, k, v and out once); k and v are read seq / 128 times, mostly from the L2
//        cache. A seq x seq matrix would cost 8 batch heads seq^2 more, even if it were kept in half precision.
// Flops  2 batch heads seq^2 DIM: two products, half of each masked
// Bound  shared memory: each fragment of k and v that a warp loads serves a single product, and the scores pass through
//        there, too, since WMMA does not say which lane holds which. Level 6 keeps them in registers.

#include <cuda_fp16.h>
#include <cuda_pipeline.h>  // __pipeline_memcpy_async and what goes with it
#include <math.h>           // INFINITY
#include <mma.h>            // nvcuda::wmma, matrix multiplication by a warp

using namespace nvcuda;

constexpr int BLOCK_M = 64;  // queries of a block, 16 for each warp
constexpr int BLOCK_N = 64;  // keys of a tile
constexpr int WARPS = BLOCK_M / 16;
constexpr int THREADS = 32 * WARPS;
constexpr unsigned ALL = 0xffffffff;

// SOLUTION: write a __device__ function that copies ROWS rows of a head to shared memory, zeros past its end
template <int ROWS, int DIM>
__device__ void copy_rows(half* tile, const half* head, int first, int seq) {
#pragma unroll
    for (int i = threadIdx.x; i < ROWS * DIM / 8; i += THREADS) {  // neighbouring threads: neighbouring 16 bytes
        const int row = i / (DIM / 8);
        const int col = i % (DIM / 8) * 8;
        const half* from = head + static_cast<long long>(first + row) * DIM + col;
        __pipeline_memcpy_async(tile + row * (DIM + 8) + col, from, 16, first + row < seq ? 0 : 16);
    }
}
// END SOLUTION

// SOLUTION: write a __device__ function for 2^x, a single instruction of the hardware
__device__ float power_of_two(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));  // exp2f() takes care of subnormal results as well
    return y;
}
// END SOLUTION

// One block of THREADS threads for each BLOCK_M queries of each head. Wants room for four tiles of keys or values in
// dynamic shared memory, 4 * BLOCK_N * (DIM + 8) halves. `scale` is log2(e) / sqrt(DIM): powers of two are quicker than
// powers of e.
template <int DIM>
__global__ void __launch_bounds__(THREADS) attention(const half* __restrict__ q, const half* __restrict__ k,
                                                     const half* __restrict__ v, half* __restrict__ out, int seq,
                                                     float scale) {
    // SOLUTION: queries in fragments; for each tile: scores, their largest, weights, correction, product; then divide
    constexpr int STRIDE = BLOCK_N + 8;  // of a row of scores or weights: rows begin in different banks
    constexpr int TILE = BLOCK_N * (DIM + 8);
    extern __shared__ __align__(128) half tiles[];  // keys and values of this step, keys and values of the next
    __shared__ __align__(128) float staging[WARPS][16 * STRIDE];
    __shared__ float factors[WARPS][16];

    const int blocks = (seq + BLOCK_M - 1) / BLOCK_M;
    const int first = (blocks - 1 - blockIdx.x % blocks) * BLOCK_M;  // the longest walks begin first
    const long long head = static_cast<long long>(blockIdx.x / blocks) * seq * DIM;
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int top = first + warp * 16;  // the warp's first query
    float* scores = staging[warp];
    half* weights = reinterpret_cast<half*>(scores);  // takes the place of the scores that it is made of
    const float* factor = factors[warp];

    static_assert(BLOCK_M <= 4 * BLOCK_N, "queries must fit where keys and values will be");
    copy_rows<BLOCK_M, DIM>(tiles, q + head, first, seq);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> query[DIM / 16];
#pragma unroll
    for (int d = 0; d < DIM / 16; ++d) {
        wmma::load_matrix_sync(query[d], tiles + warp * 16 * (DIM + 8) + d * 16, DIM + 8);
    }

    // Which row of a tile an element of a fragment belongs to: load a tile that says so.
    for (int i = lane; i < 16 * 16; i += 32) {
        scores[i] = i / 16;
    }
    __syncwarp();
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> rows, sums[DIM / 16];
    wmma::load_matrix_sync(rows, scores, 16, wmma::mem_row_major);
#pragma unroll
    for (int d = 0; d < DIM / 16; ++d) {
        wmma::fill_fragment(sums[d], 0.0f);
    }
    float largest = -INFINITY;  // of query lane / 2, whose scores this lane shares with its neighbour, and
    float total = 0.0f;         // this lane's part of the sum of its weights

    const int steps = (min(first + BLOCK_M, seq) + BLOCK_N - 1) / BLOCK_N;
    auto copy_step = [&](int step) {
        half* tile = tiles + step % 2 * 2 * TILE;
        copy_rows<BLOCK_N, DIM>(tile, k + head, step * BLOCK_N, seq);
        copy_rows<BLOCK_N, DIM>(tile + TILE, v + head, step * BLOCK_N, seq);
    };
    __syncthreads();  // all have their queries: the first keys may take their place
    copy_step(0);
    for (int step = 0; step < steps; ++step) {
        __pipeline_commit();
        __pipeline_wait_prior(0);  // this thread's share of the step has come,
        __syncthreads();           // everybody's has, and nobody is still at work on the step before,
        if (step + 1 < steps) {    // whose place is filled next
            copy_step(step + 1);
        }
        if (step * BLOCK_N > top + 15) {
            continue;  // this warp's queries see none of these keys
        }
        const half* keys = tiles + step % 2 * 2 * TILE;
        const half* values = keys + TILE;

#pragma unroll 2  // all four at once would take more registers than a thread has
        for (int n = 0; n < BLOCK_N / 16; ++n) {
            wmma::fragment<wmma::accumulator, 16, 16, 16, float> score;
            wmma::fill_fragment(score, 0.0f);
#pragma unroll
            for (int d = 0; d < DIM / 16; ++d) {  // col_major: the columns of k^T are the rows of k
                wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> key;
                wmma::load_matrix_sync(key, keys + n * 16 * (DIM + 8) + d * 16, DIM + 8);
                wmma::mma_sync(score, query[d], key, score);
            }
            wmma::store_matrix_sync(scores + n * 16, score, STRIDE, wmma::mem_row_major);
        }
        __syncwarp();  // the lanes read what others have written

        // Lanes 2 r and 2 r + 1 share query r: four keys this one, four keys the other.
        const int mine = top + lane / 2;
        float s[BLOCK_N / 8][4];
        float larger = -INFINITY;
#pragma unroll
        for (int i = 0; i < BLOCK_N / 8; ++i) {
            const float4 four =
                *reinterpret_cast<const float4*>(scores + lane / 2 * STRIDE + i * 8 + lane % 2 * 4);
            s[i][0] = four.x;
            s[i][1] = four.y;
            s[i][2] = four.z;
            s[i][3] = four.w;
        }
        if (step * BLOCK_N + BLOCK_N > top) {  // on the diagonal; a key past the end lies behind every query
#pragma unroll
            for (int i = 0; i < BLOCK_N / 2; ++i) {
                const int key = step * BLOCK_N + i / 4 * 8 + lane % 2 * 4 + i % 4;
                s[i / 4][i % 4] = key <= mine ? s[i / 4][i % 4] : -INFINITY;
            }
        }
#pragma unroll
        for (int i = 0; i < BLOCK_N / 2; ++i) {
            larger = fmaxf(larger, s[i / 4][i % 4]);
        }
        larger = fmaxf(larger, __shfl_xor_sync(ALL, larger, 1));
        larger = fmaxf(largest, larger * scale);
        const float shrink = power_of_two(largest - larger);
        largest = larger;
        total *= shrink;
        __syncwarp();  // nobody reads scores any more: weights may take their place
#pragma unroll
        for (int i = 0; i < BLOCK_N / 8; ++i) {
            float w[4];
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                w[j] = power_of_two(s[i][j] * scale - larger);
                total += w[j];
            }
            __align__(8) const half2 four[2] = {__floats2half2_rn(w[0], w[1]), __floats2half2_rn(w[2], w[3])};
            *reinterpret_cast<uint2*>(weights + lane / 2 * STRIDE + i * 8 + lane % 2 * 4) =
                *reinterpret_cast<const uint2*>(four);
        }
        if (lane % 2 == 0) {
            factors[warp][lane / 2] = shrink;
        }
        __syncwarp();  // weights and factors are complete

#pragma unroll
        for (int i = 0; i < rows.num_elements; ++i) {
            const float f = factor[static_cast<int>(rows.x[i])];
#pragma unroll
            for (int d = 0; d < DIM / 16; ++d) {
                sums[d].x[i] *= f;
            }
        }
#pragma unroll 2
        for (int n = 0; n < BLOCK_N / 16; ++n) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> weight;
            wmma::load_matrix_sync(weight, weights + n * 16, STRIDE);
#pragma unroll
            for (int d = 0; d < DIM / 16; ++d) {
                wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> value;
                wmma::load_matrix_sync(value, values + n * 16 * (DIM + 8) + d * 16, DIM + 8);
                wmma::mma_sync(sums[d], weight, value, sums[d]);
            }
        }
    }

    total += __shfl_xor_sync(ALL, total, 1);
    __syncwarp();  // nobody needs the last factors any more
    if (lane % 2 == 0) {
        factors[warp][lane / 2] = 1.0f / total;
    }
    __syncwarp();
#pragma unroll
    for (int d = 0; d < DIM / 16; ++d) {
#pragma unroll
        for (int i = 0; i < rows.num_elements; ++i) {
            sums[d].x[i] *= factor[static_cast<int>(rows.x[i])];
        }
        wmma::store_matrix_sync(scores, sums[d], 20, wmma::mem_row_major);
        __syncwarp();
        uint4 eight;  // seen as four pairs
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            const float4 four =
                *reinterpret_cast<const float4*>(scores + lane % 16 * 20 + lane / 16 * 8 + j * 4);
            reinterpret_cast<half2*>(&eight)[2 * j] = __floats2half2_rn(four.x, four.y);
            reinterpret_cast<half2*>(&eight)[2 * j + 1] = __floats2half2_rn(four.z, four.w);
        }
        if (top + lane % 16 < seq) {
            half* to = out + head + static_cast<long long>(top + lane % 16) * DIM + d * 16 + lane / 16 * 8;
            *reinterpret_cast<uint4*>(to) = eight;
        }
        __syncwarp();  // all have read it: the next tile may come
    }
    // END SOLUTION
}
