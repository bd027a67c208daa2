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

// TODO: write a __device__ function that copies ROWS rows of a head to shared memory, zeros past its end

// TODO: write a __device__ function for 2^x, a single instruction of the hardware

// One block of THREADS threads for each BLOCK_M queries of each head. Wants room for four tiles of keys or values in
// dynamic shared memory, 4 * BLOCK_N * (DIM + 8) halves. `scale` is log2(e) / sqrt(DIM): powers of two are quicker than
// powers of e.
template <int DIM>
__global__ void __launch_bounds__(THREADS) attention(const half* __restrict__ q, const half* __restrict__ k,
                                                     const half* __restrict__ v, half* __restrict__ out, int seq,
                                                     float scale) {
    // TODO: queries in fragments; for each tile: scores, their largest, weights, correction, product; then divide
}
