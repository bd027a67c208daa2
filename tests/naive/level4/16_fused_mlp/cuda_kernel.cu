// Naive: rung 12's tiles, widened to float32, and no Tensor Cores; a kernel for each step, so that gate, up and h all go
// through memory.

#include <cuda_bf16.h>

using bf16 = __nv_bfloat16;

constexpr int TILE = 32;

// out = a w^T: a is (m x k), w is (n x k).
__global__ void product(const bf16* a, const bf16* w, bf16* out, int m, int n, int k) {
    __shared__ float a_tile[TILE][TILE + 1];
    __shared__ float w_tile[TILE][TILE + 1];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row = blockIdx.y * TILE + y;
    const int col = blockIdx.x * TILE + x;
    const int w_row = blockIdx.x * TILE + y;
    float sum = 0.0f;
    for (int start = 0; start < k; start += TILE) {
        const int term = start + x;
        a_tile[y][x] = row < m && term < k ? __bfloat162float(a[static_cast<long long>(row) * k + term]) : 0.0f;
        w_tile[y][x] = w_row < n && term < k ? __bfloat162float(w[static_cast<long long>(w_row) * k + term]) : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i) {
            sum += a_tile[y][i] * w_tile[x][i];
        }
        __syncthreads();
    }
    if (row < m && col < n) {
        out[static_cast<long long>(row) * n + col] = __float2bfloat16(sum);
    }
}

__global__ void gated(const bf16* gate, const bf16* up, bf16* h, long long n) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) {
        const float g = __bfloat162float(gate[i]);
        h[i] = __float2bfloat16(g / (1.0f + expf(-g)) * __bfloat162float(up[i]));
    }
}
