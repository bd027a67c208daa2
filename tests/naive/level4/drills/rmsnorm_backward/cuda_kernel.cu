// Naive: the rows' sums first, in a kernel of their own, then a walk over the rows for grad_x and one down each column for
// grad_weight, so that x and grad_out are read three times; two bytes to a load, a warp for each row.

#include <cuda_bf16.h>

using bf16 = __nv_bfloat16;

__device__ float warp_sum(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v += __shfl_xor_sync(0xffffffff, v, distance);
    }
    return v;
}

__global__ void row_sums(const bf16* x, const bf16* weight, const bf16* grad_out, float* scale, float* along, int cols) {
    const long long start = static_cast<long long>(blockIdx.x) * cols;
    float squares = 0.0f;
    float products = 0.0f;
    for (int col = threadIdx.x; col < cols; col += 32) {
        const float v = __bfloat162float(x[start + col]);
        squares += v * v;
        products += v * __bfloat162float(grad_out[start + col]) * __bfloat162float(weight[col]);
    }
    const float r = rsqrtf(warp_sum(squares) / cols + 1e-5f);
    scale[blockIdx.x] = r;
    along[blockIdx.x] = r * r * r * warp_sum(products) / cols;
}

__global__ void of_x(const bf16* x, const bf16* weight, const bf16* grad_out, const float* scale, const float* along,
                     bf16* grad_x, int cols) {
    const long long start = static_cast<long long>(blockIdx.x) * cols;
    for (int col = threadIdx.x; col < cols; col += 32) {
        const float g = __bfloat162float(grad_out[start + col]) * __bfloat162float(weight[col]);
        grad_x[start + col] =
            __float2bfloat16(scale[blockIdx.x] * g - along[blockIdx.x] * __bfloat162float(x[start + col]));
    }
}

__global__ void of_weight(const bf16* x, const bf16* grad_out, const float* scale, bf16* grad_weight, int rows, int cols) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) {
        return;
    }
    float sum = 0.0f;
    for (long long row = 0; row < rows; ++row) {
        sum += __bfloat162float(grad_out[row * cols + col]) * (__bfloat162float(x[row * cols + col]) * scale[row]);
    }
    grad_weight[col] = __float2bfloat16(sum);
}
