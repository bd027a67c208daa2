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
    // TODO: a tile of scale * q k^T: both q and k have their rows along dim
}

// One block for each row, in place; blockDim.x is a multiple of 32.
__global__ void softmax_rows(float* __restrict__ scores, int seq) {
    // TODO: largest score of the row, sum of exp(score - largest), quotients; walk over the row for each
}

// One block of (TILE, STEP) threads for each tile of out; x counts the tiles of a row of tiles, head after head.
template <typename T>
__global__ void weighted_sum(const float* __restrict__ weights, const T* __restrict__ v, T* __restrict__ out, int seq,
                             int dim) {
    // TODO: a tile of weights v, the sum in float32
}
