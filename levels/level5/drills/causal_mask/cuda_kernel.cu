// Causal attention: out = softmax(q k^T / sqrt(DIM)) v for each head, a query sees the keys up to its own.
// q, k, v and out are [batch, heads, seq, DIM] in float16, DIM = 64.
//
// Idea   a block takes 64 queries past tiles of 64 keys, with an online softmax. Tiles left of the diagonal need no
//        mask, tiles right of it are not visited at all: half of the work is not done. The longest begin first.
// Bytes  8 batch heads seq DIM at least; a key and its value are read by up to seq / 64 blocks, half of that on average
// Flops  2 batch heads seq (seq + 1) DIM, half of those without a mask
// Bound  shared memory, through which scores and weights change hands (level 6 keeps them in registers).

#include <cuda_fp16.h>
#include <math.h>  // INFINITY
#include <mma.h>   // nvcuda::wmma, matrix multiplication by a warp

using namespace nvcuda;

constexpr int DIM = 64;      // numbers in a query, a key, a value
constexpr int BLOCK_M = 64;  // queries of a block, 16 for each warp
constexpr int BLOCK_N = 64;  // keys of a tile
constexpr int WARPS = BLOCK_M / 16;
constexpr int THREADS = 32 * WARPS;
constexpr int STRIDE = DIM + 8;  // of a row in shared memory: rows begin in different banks
constexpr unsigned ALL = 0xffffffff;
constexpr float SCALE = 0.125f * 1.4426950409f;  // 1 / sqrt(DIM), and log2(e): powers of two are quicker than of e

using Query = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using Sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

// Parts of a fused attention kernel, given: rung 20 has you write them. The barriers between them are yours.

__device__ float power_of_two(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));  // exp2f() takes care of subnormal results as well
    return y;
}

// Copies rows `first` to `first` + 63 of a head to shared memory, zeros past its end.
__device__ void copy_rows(half* tile, const half* head, int first, int seq) {
    static_assert(BLOCK_M == BLOCK_N, "all tiles have as many rows");
#pragma unroll
    for (int i = threadIdx.x; i < BLOCK_N * DIM / 8; i += THREADS) {  // neighbouring threads: neighbouring 16 bytes
        const int row = i / (DIM / 8);
        const int col = i % (DIM / 8) * 8;
        const half* from = head + static_cast<long long>(first + row) * DIM + col;
        *reinterpret_cast<uint4*>(tile + row * STRIDE + col) =
            first + row < seq ? *reinterpret_cast<const uint4*>(from) : make_uint4(0, 0, 0, 0);
    }
}

// The warp's 16 queries times all keys of a tile, to a row of `scores` for each query.
__device__ void multiply_keys(float* scores, const Query* query, const half* keys) {
#pragma unroll
    for (int n = 0; n < BLOCK_N; n += 16) {
        Sums score;
        wmma::fill_fragment(score, 0.0f);
#pragma unroll
        for (int d = 0; d < DIM / 16; ++d) {  // col_major: the columns of k^T are the rows of k
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> key;
            wmma::load_matrix_sync(key, keys + n * STRIDE + d * 16, STRIDE);
            wmma::mma_sync(score, query[d], key, score);
        }
        wmma::store_matrix_sync(scores + n, score, STRIDE, wmma::mem_row_major);
    }
    __syncwarp();  // the lanes read what others have written
}

// Makes weights of the scores of the warp's queries, in their place. Lanes 2 r and 2 r + 1 share query r, which sees
// the keys from 0 to `seen` - 1 of the tile. Brings up to date its largest score and this lane's part
// of the sum of its weights, and returns what older sums are to be multiplied by.
__device__ float weigh(float* scores, int seen, float& largest, float& total) {
    const int lane = threadIdx.x % 32;
    float s[BLOCK_N / 2];
    float larger = -INFINITY;
#pragma unroll
    for (int i = 0; i < BLOCK_N / 2; i += 4) {  // four keys this lane, four the other
        const int key = i * 2 + lane % 2 * 4;
        const float4 four = *reinterpret_cast<const float4*>(scores + lane / 2 * STRIDE + key);
        s[i] = key < seen ? four.x : -INFINITY;
        s[i + 1] = key + 1 < seen ? four.y : -INFINITY;
        s[i + 2] = key + 2 < seen ? four.z : -INFINITY;
        s[i + 3] = key + 3 < seen ? four.w : -INFINITY;
        larger = fmaxf(fmaxf(larger, fmaxf(s[i], s[i + 1])), fmaxf(s[i + 2], s[i + 3]));
    }
    larger = fmaxf(larger, __shfl_xor_sync(ALL, larger, 1));
    larger = fmaxf(largest, larger * SCALE);
    const float shrink = power_of_two(largest - larger);
    largest = larger;
    total *= shrink;
    __syncwarp();  // nobody reads scores any more: weights may take their place
    half* weights = reinterpret_cast<half*>(scores) + lane / 2 * STRIDE;
#pragma unroll
    for (int i = 0; i < BLOCK_N / 2; i += 4) {
        float w[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            w[j] = power_of_two(s[i + j] * SCALE - larger);
            total += w[j];
        }
        __align__(8) const half2 four[2] = {__floats2half2_rn(w[0], w[1]), __floats2half2_rn(w[2], w[3])};
        *reinterpret_cast<uint2*>(weights + i * 2 + lane % 2 * 4) = *reinterpret_cast<const uint2*>(four);
    }
    return shrink;
}

// Multiplies each row of the warp's sums by the factor that the lanes of its query hold. `rows` says which row of a
// tile an element of a fragment belongs to.
__device__ void scale_rows(Sums* sums, const Sums& rows, float* factors, float factor) {
    const int lane = threadIdx.x % 32;
    if (lane % 2 == 0) {
        factors[lane / 2] = factor;
    }
    __syncwarp();  // factors, and the weights before them, are complete
#pragma unroll
    for (int e = 0; e < rows.num_elements; ++e) {
        const float f = factors[static_cast<int>(rows.x[e])];
#pragma unroll
        for (int d = 0; d < DIM / 16; ++d) {
            sums[d].x[e] *= f;
        }
    }
}

// Adds the warp's weights times the values of a tile to its sums.
__device__ void multiply_values(Sums* sums, const float* scores, const half* values) {
    const half* weights = reinterpret_cast<const half*>(scores);
#pragma unroll
    for (int n = 0; n < BLOCK_N; n += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> weight;
        wmma::load_matrix_sync(weight, weights + n, STRIDE);
#pragma unroll
        for (int d = 0; d < DIM / 16; ++d) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> value;
            wmma::load_matrix_sync(value, values + n * STRIDE + d * 16, STRIDE);
            wmma::mma_sync(sums[d], weight, value, sums[d]);
        }
    }
}

// Begins: all sums 0, and in `rows` the number of each element's row.
__device__ void clear(Sums* sums, Sums& rows, float* scores) {
    for (int i = threadIdx.x % 32; i < 16 * 16; i += 32) {
        scores[i] = i / 16;
    }
    __syncwarp();
    wmma::load_matrix_sync(rows, scores, 16, wmma::mem_row_major);
    __syncwarp();
#pragma unroll
    for (int d = 0; d < DIM / 16; ++d) {
        wmma::fill_fragment(sums[d], 0.0f);
    }
}

// Rounds the warp's 16 rows of sums and stores those that exist; `top` is the first in the head.
__device__ void store_rows(half* head, const Sums* sums, float* scores, int top, int seq) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int d = 0; d < DIM / 16; ++d) {
        wmma::store_matrix_sync(scores, sums[d], 20, wmma::mem_row_major);
        __syncwarp();
        uint4 eight;  // seen as four pairs
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            const float4 four = *reinterpret_cast<const float4*>(scores + lane % 16 * 20 + lane / 16 * 8 + j * 4);
            reinterpret_cast<half2*>(&eight)[2 * j] = __floats2half2_rn(four.x, four.y);
            reinterpret_cast<half2*>(&eight)[2 * j + 1] = __floats2half2_rn(four.z, four.w);
        }
        if (top + lane % 16 < seq) {
            half* to = head + static_cast<long long>(top + lane % 16) * DIM + d * 16 + lane / 16 * 8;
            *reinterpret_cast<uint4*>(to) = eight;
        }
        __syncwarp();  // all have read it: the next tile may come
    }
}

// One block of THREADS threads for each head, on axis x, and each BLOCK_M of its queries, on axis y.
__global__ void causal_attention(const half* __restrict__ q, const half* __restrict__ k,
                                 const half* __restrict__ v, half* __restrict__ out, int seq) {
    __shared__ __align__(128) half queries[BLOCK_M * STRIDE];
    __shared__ __align__(128) half keys[BLOCK_N * STRIDE];
    __shared__ __align__(128) half values[BLOCK_N * STRIDE];
    __shared__ __align__(128) float staging[WARPS][16 * STRIDE];
    __shared__ float factors[WARPS][16];
    // TODO: walk over the tiles of keys that any of these queries sees; mask those on the diagonal; store
}
