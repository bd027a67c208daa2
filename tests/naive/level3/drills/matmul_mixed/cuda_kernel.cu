// Naive: no Tensor Cores and no tiles: half-precision numbers are converted one by one, and multiplied in float32.

#include <cuda_fp16.h>

__global__ void matmul(const half* a, const half* b, half* out, int m, int n, int k) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; ++i) {
            sum += __half2float(a[row * k + i]) * __half2float(b[i * n + col]);
        }
        out[row * n + col] = __float2half(sum);
    }
}
