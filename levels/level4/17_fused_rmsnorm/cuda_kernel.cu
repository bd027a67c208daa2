// Residual add and RMSNorm, row-major in bfloat16: residual_out = x + residual, rounded; out = residual_out / sqrt(mean of
// its row's squares + 1e-5) * weight.
//
// Idea   a block owns a row. Each thread reads its part of x and residual once, eight elements with a load, and keeps the
//        sum in registers: it goes to memory as the new residual, its squares go to the block's sum, and what comes of
//        both is stored as out. In two kernels the sum would be written by the one and read again by the other.
// Bytes  8 rows cols (two reads, two writes of 2 bytes; two kernels: 10); weight stays in the caches
// Flops  5 rows cols
// Bound  memory: less than a flop for each byte. The copy bandwidth is the ceiling.

#include <cuda_bf16.h>

using bf16 = __nv_bfloat16;

// TODO: write __device__ functions: load and store eight elements or one, as float32; a block-wide sum

// WIDTH elements are moved with one instruction. It divides cols, and where it is eight, all rows begin on 16 bytes.
template <int WIDTH>
__global__ void fused_rmsnorm(const bf16* __restrict__ x, const bf16* __restrict__ residual,
                              const bf16* __restrict__ weight, bf16* out, bf16* residual_out, int cols) {
    // TODO: one block for each row: read x and residual once, store their sum, scale it by rsqrtf(mean + 1e-5) and weight
}
