// Naive: x runs down the rows, so the 32 lanes of a warp touch 32 rows: nothing coalesces.

__global__ void add2d(const float* a, const float* b, float* out, int rows, int cols) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        const int i = row * cols + col;
        out[i] = a[i] + b[i];
    }
}
