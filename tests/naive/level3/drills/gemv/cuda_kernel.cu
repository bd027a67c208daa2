// Naive: a thread for each row, so that the 32 lanes of a warp touch 32 rows, and few threads have anything to do.

__global__ void gemv(const float* a, const float* x, float* out, int m, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m) {
        float sum = 0.0f;
        for (int start = 0; start < n; start += 64) {  // in pieces: one long chain of additions is not precise enough
            float piece = 0.0f;
            for (int col = start; col < start + 64 && col < n; ++col) {
                piece += a[row * n + col] * x[col];
            }
            sum += piece;
        }
        out[row] = sum;
    }
}
