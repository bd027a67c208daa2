// Naive: x runs down the rows, so the 32 lanes of a warp touch 32 rows of a and of out: nothing coalesces.

__global__ void matmul(const float* a, const float* b, float* out, int m, int n, int k) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; ++i) {
            sum += a[row * k + i] * b[i * n + col];
        }
        out[row * n + col] = sum;
    }
}
