// Softmax of every row of a row-major matrix: out = exp(x - m) / s, where m = max(x) and s = sum(exp(x - m)) of the row.
//
// Idea   a block owns a row and keeps it in registers, 16 or 32 floats in each thread, so that it is read once: maximum,
//        exponentials, sum, quotient, store. A row that is too long for that is walked over twice, and the first walk
//        makes maximum and sum together, *online*: where the maximum grows, the sum so far is scaled down to match.
// Bytes  8 rows cols (one read, one write; the second walk finds most of its row in the L2 cache)
// Flops  5 rows cols, counting exp as one
// Bound  memory: an exponential and a dozen instructions are a quarter of what the card issues while 8 bytes move.

#include <math.h>  // INFINITY

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part

// TODO: write __device__ functions: maximum and sum over a warp, which all its lanes get, and over a block

// Rows of at most 4 * FOURS * blockDim.x columns, and a multiple of four, so that every row begins on 16 bytes.
template <int FOURS>
__global__ void softmax_in_registers(const float* __restrict__ x, float* __restrict__ out, int cols) {
    // TODO: load the row, FOURS float4 for each thread; maximum, exponentials, sum, and store
}

// Rows of any length.
__global__ void softmax_online(const float* __restrict__ x, float* __restrict__ out, int cols) {
    // TODO: walk over the row for maximum and sum together, combine the threads' pairs, walk again to store
}
