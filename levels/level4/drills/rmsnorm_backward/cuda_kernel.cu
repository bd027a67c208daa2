// RMSNorm backward in bfloat16: with r = 1 / sqrt(mean of a row's x^2 + 1e-5) and g = grad_out,
//     grad_x[row][col] = r g w - x r^3 mean(g w x)          grad_weight[col] = sum over rows of g x r
//
// Idea   a block takes every so many-th row. For a row it needs two sums, of x^2 and of g w x, which one reduction gives;
//        x and g stay in registers meanwhile. A thread has the same columns in every row, so that it adds up its share
//        of grad_weight in registers as well and stores it once. A second kernel adds the blocks' shares, in a fixed
//        order: the result is the same bit for bit in every run, which atomicAdd would not promise.
// Bytes  6 rows cols (two reads, one write of 2 bytes) + 8 blocks cols for the shares, which stay in the L2 cache
// Flops  11 rows cols
// Bound  memory: two flops for each byte. The copy bandwidth is the ceiling.

#include <cuda_bf16.h>

using bf16 = __nv_bfloat16;

constexpr int PART_COLS = 32;    // sum_parts: a block has 32 columns, and
constexpr int PART_GROUPS = 32;  // 32 threads for each of them

// TODO: write __device__ functions: load and store eight elements or one; a block-wide sum of pairs

// WIDTH elements are moved with one instruction. It divides cols, and where it is eight, all rows begin on 16 bytes.
// `parts` is (blocks x cols): each block's share of grad_weight.
template <int WIDTH>
__global__ void rmsnorm_backward(const bf16* __restrict__ x, const bf16* __restrict__ weight,
                                 const bf16* __restrict__ grad_out, bf16* __restrict__ grad_x, float* parts, int rows,
                                 int cols) {
    // TODO: for every gridDim.x-th row, grad_x; over these rows, this block's share of grad_weight
}

__global__ void sum_parts(const float* __restrict__ parts, bf16* __restrict__ grad_weight, int count, int cols) {
    // TODO: add up the `count` shares of each column in float32; round once
}
