constexpr int N = 256;
constexpr int K = 256;

// A thread for each element of the rows from `top` on, as far as the block reaches.
__global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int m,
                       int top) {
    const int row = top + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m) {
        float sum = 0.0f;
#pragma unroll 32
        for (int i = 0; i < K; ++i) {
            sum += a[row * K + i] * b[i * N + col];
        }
        out[row * N + col] = sum;
    }
}
