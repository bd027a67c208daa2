// Naive: a kernel for each step, so that the sum is written once and read twice; two bytes to a load, a warp for each row.

#include <cuda_bf16.h>

using bf16 = __nv_bfloat16;

__device__ float warp_sum(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v += __shfl_xor_sync(0xffffffff, v, distance);
    }
    return v;
}

__global__ void add(const bf16* x, const bf16* residual, bf16* residual_out, int cols) {
    const long long start = static_cast<long long>(blockIdx.x) * cols;
    for (int col = threadIdx.x; col < cols; col += 32) {
        residual_out[start + col] = __float2bfloat16(__bfloat162float(x[start + col]) + __bfloat162float(residual[start + col]));
    }
}

__global__ void row_scale(const bf16* total, float* scale, int cols) {
    const long long start = static_cast<long long>(blockIdx.x) * cols;
    float squares = 0.0f;
    for (int col = threadIdx.x; col < cols; col += 32) {
        squares += __bfloat162float(total[start + col]) * __bfloat162float(total[start + col]);
    }
    scale[blockIdx.x] = rsqrtf(warp_sum(squares) / cols + 1e-5f);
}

__global__ void apply(const bf16* total, const float* scale, const bf16* weight, bf16* out, int cols) {
    const long long start = static_cast<long long>(blockIdx.x) * cols;
    for (int col = threadIdx.x; col < cols; col += 32) {
        out[start + col] =
            __float2bfloat16(__bfloat162float(total[start + col]) * scale[blockIdx.x] * __bfloat162float(weight[col]));
    }
}
