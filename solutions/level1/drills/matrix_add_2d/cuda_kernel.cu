// Matrix add on a 2-D grid: out[row][col] = a[row][col] + b[row][col], row-major.
//
// Idea   x runs along the row, so the 32 threads of a warp touch 32 neighbouring elements; y runs down the rows.
// Bytes  12 rows cols (two reads, one write of 4 bytes)      Flops  rows cols
// Bound  memory: the copy bandwidth is the ceiling.

__global__ void add2d(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int rows,
                      int cols) {
    // SOLUTION: compute this thread's column and its EACH rows, a block apart; where both are inside the matrix, add
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = blockIdx.y * (EACH * blockDim.y) + threadIdx.y;
    #pragma unroll
    for (int k = 0; k < EACH; ++k) {
        const int row = first + k * blockDim.y;
        if (row < rows && col < cols) {
            const int i = row * cols + col;
            out[i] = a[i] + b[i];
        }
    }
    // END SOLUTION
}
