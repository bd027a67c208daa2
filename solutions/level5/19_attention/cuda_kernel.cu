// Attention in three plain kernels: scores = q k^T / sqrt(dim), their softmax row by row, out = weights v.
//
// Idea   two tiled matrix products as in level 3, with a row softmax as in level 2 between them. What they hand on is
//        a seq x seq matrix for each head, in float32 whatever the type of q, k and v.
// Bytes  q, k, v and out once, and 16 for each score: written, read, written as a weight, read; the softmax reads its row
//        twice more from the caches
// Flops  4 batch heads seq^2 dim, and a few for each score
// Bound  the products, which reach a fraction of the float32 units' rate, as in rung 12. Were they quicker, it would be
//        memory: at dim = 64 there are 256 flops for the 16 bytes of each score that must move.

#include <cuda_fp16.h>
#include <math.h>  // INFINITY

constexpr int TILE = 32;           // rows and columns of each tile
constexpr int ROWS = 4;            // elements of the result for each thread, all in one column
constexpr int STEP = TILE / ROWS;  // rows of threads, and the distance of a thread's elements
constexpr unsigned ALL = 0xffffffff;

// Conversions that read the same for both types.
__device__ float to_float(float x) { return x; }
__device__ float to_float(half x) { return __half2float(x); }
__device__ void store(float* to, float x) { *to = x; }
__device__ void store(half* to, float x) { *to = __float2half(x); }

// One block of (TILE, STEP) threads for each tile of scores; x counts the tiles of a row of tiles, head after head.
template <typename T>
__global__ void scores_of(const T* __restrict__ q, const T* __restrict__ k, float* __restrict__ scores, int seq,
                          int dim, float scale) {
    // SOLUTION: a tile of scale * q k^T: both q and k have their rows along dim
    __shared__ float q_tile[TILE][TILE];
    __shared__ float k_tile[TILE][TILE + 1];  // read down a column: one element more, and rows begin in other banks
    const int tiles = (seq + TILE - 1) / TILE;
    const long long head = blockIdx.x / tiles;
    const int x = threadIdx.x;
    const int left = blockIdx.x % tiles * TILE;
    const int top = blockIdx.y * TILE;
    q += head * seq * dim;
    k += head * seq * dim;
    scores += head * seq * seq;

    float sums[ROWS] = {};
    for (int start = 0; start < dim; start += TILE) {
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            const int y = threadIdx.y + r * STEP;
            const bool inside = start + x < dim;
            const long long query = top + y, key = left + y;
            q_tile[y][x] = inside && query < seq ? to_float(q[query * dim + start + x]) : 0.0f;
            k_tile[y][x] = inside && key < seq ? to_float(k[key * dim + start + x]) : 0.0f;
        }
        __syncthreads();  // both tiles are complete before anybody reads them

#pragma unroll
        for (int i = 0; i < TILE; ++i) {
            const float of_key = k_tile[x][i];
#pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                sums[r] += q_tile[threadIdx.y + r * STEP][i] * of_key;
            }
        }
        __syncthreads();  // everybody has read them before the next ones come in their place
    }

#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const int query = top + threadIdx.y + r * STEP;
        if (query < seq && left + x < seq) {
            scores[static_cast<long long>(query) * seq + left + x] = sums[r] * scale;
        }
    }
    // END SOLUTION
}

// One block for each row, in place; blockDim.x is a multiple of 32.
__global__ void softmax_rows(float* __restrict__ scores, int seq) {
    // SOLUTION: largest score of the row, sum of exp(score - largest), quotients; walk over the row for each
    __shared__ float largest_of[32], sum_of[32];
    float* row = scores + static_cast<long long>(blockIdx.x) * seq;
    const int warps = blockDim.x / 32;
    const int lane = threadIdx.x % 32;

    float largest = -INFINITY;
    for (int i = threadIdx.x; i < seq; i += blockDim.x) {
        largest = fmaxf(largest, row[i]);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        largest = fmaxf(largest, __shfl_xor_sync(ALL, largest, distance));
    }
    largest_of[threadIdx.x / 32] = largest;
    __syncthreads();  // every warp's largest is there
    for (int warp = 0; warp < warps; ++warp) {
        largest = fmaxf(largest, largest_of[warp]);
    }

    float sum = 0.0f;
    for (int i = threadIdx.x; i < seq; i += blockDim.x) {
        sum += __expf(row[i] - largest);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(ALL, sum, distance);
    }
    sum_of[threadIdx.x / 32] = sum;
    __syncthreads();  // every warp's sum is there
    sum = lane < warps ? sum_of[lane] : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(ALL, sum, distance);
    }

    for (int i = threadIdx.x; i < seq; i += blockDim.x) {
        row[i] = __expf(row[i] - largest) / sum;
    }
    // END SOLUTION
}

// One block of (TILE, STEP) threads for each tile of out; x counts the tiles of a row of tiles, head after head.
template <typename T>
__global__ void weighted_sum(const float* __restrict__ weights, const T* __restrict__ v, T* __restrict__ out, int seq,
                             int dim) {
    // SOLUTION: a tile of weights v, the sum in float32
    __shared__ float w_tile[TILE][TILE];
    __shared__ float v_tile[TILE][TILE];
    const int tiles = (dim + TILE - 1) / TILE;
    const long long head = blockIdx.x / tiles;
    const int x = threadIdx.x;
    const int col = blockIdx.x % tiles * TILE + x;
    const int top = blockIdx.y * TILE;
    weights += head * seq * seq;
    v += head * seq * dim;
    out += head * seq * dim;

    float sums[ROWS] = {};
    for (int start = 0; start < seq; start += TILE) {
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            const int y = threadIdx.y + r * STEP;
            const long long query = top + y, key = start + y;
            w_tile[y][x] = query < seq && start + x < seq ? weights[query * seq + start + x] : 0.0f;
            v_tile[y][x] = key < seq && col < dim ? to_float(v[key * dim + col]) : 0.0f;
        }
        __syncthreads();  // both tiles are complete before anybody reads them

#pragma unroll
        for (int i = 0; i < TILE; ++i) {
            const float value = v_tile[i][x];
#pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                sums[r] += w_tile[threadIdx.y + r * STEP][i] * value;
            }
        }
        __syncthreads();  // everybody has read them before the next ones come in their place
    }

#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const int query = top + threadIdx.y + r * STEP;
        if (query < seq && col < dim) {
            store(out + static_cast<long long>(query) * dim + col, sums[r]);
        }
    }
    // END SOLUTION
}
