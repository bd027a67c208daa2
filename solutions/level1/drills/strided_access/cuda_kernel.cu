// Scale rows: out[row][col] = x[row][col] * scale[row], row-major.
//
// Idea   let threadIdx.x run along the row: a warp's 32 floats lie in 4 sectors, not in 32.
// Bytes  8 rows cols (one read, one write of 4 bytes)      Flops  rows cols
// Bound  memory: coalesced, the copy bandwidth is the ceiling; strided, an eighth of what moves is used.

__global__ void scale_rows(const float* __restrict__ x, const float* __restrict__ scale, float* __restrict__ out,
                           int rows, int cols) {
    // SOLUTION: one block for each row; its threads walk along the columns in steps of the block's width
    const int row = blockIdx.x;
    const float factor = scale[row];
    x += static_cast<long long>(row) * cols;
    out += static_cast<long long>(row) * cols;
    for (int col = threadIdx.x; col < cols; col += blockDim.x) {
        out[col] = x[col] * factor;
    }
    // END SOLUTION
}
