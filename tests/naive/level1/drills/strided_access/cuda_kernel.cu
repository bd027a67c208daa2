// Naive: a thread for each row, so that the 32 lanes of a warp touch 32 rows: nothing coalesces.

__global__ void scale_rows(const float* x, const float* scale, float* out, int rows, int cols) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        for (int col = 0; col < cols; ++col) {
            out[row * cols + col] = x[row * cols + col] * scale[row];
        }
    }
}
