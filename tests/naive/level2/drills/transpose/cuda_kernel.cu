// Naive: no tile: a warp reads along a row and writes down a column, 32 rows of out at once, so no write coalesces.

__global__ void transpose(const float* x, float* out, int rows, int cols) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        out[col * rows + row] = x[row * cols + col];
    }
}
