// Naive: one launch, but no tiles: two loads for each multiply-add.

__global__ void batched_matmul(const float* a, const float* b, float* out, int m, int n, int k) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    a += blockIdx.z * m * k;
    b += blockIdx.z * k * n;
    out += blockIdx.z * m * n;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; ++i) {
            sum += a[row * k + i] * b[i * n + col];
        }
        out[row * n + col] = sum;
    }
}
