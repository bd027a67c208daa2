// Box filter: out[r][c] = x[r][c] + x[r][c + 1] + x[r + 1][c] + x[r + 1][c + 1], with zeros beyond the right and the
// lower edge.
//
// Idea   a thread for each output; up to four loads, each checked if it may lie outside.
// Bytes  8 rows cols (one read, one write of 4 bytes; neighbours come from the caches)      Flops  3 rows cols
// Bound  memory.

__global__ void box_filter(const float* __restrict__ x, float* __restrict__ out, int rows, int cols) {
    // SOLUTION: one line of this kernel is wrong. Find it and mend it; the launch is right
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    const int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < cols) {
        const long long i = static_cast<long long>(r) * cols + c;
        const bool below = r + 1 < rows;
        // STUB: const bool right = c + 1 <= cols;
        const bool right = c + 1 < cols;
        float sum = x[i];
        if (right) {
            sum += x[i + 1];
        }
        if (below) {
            sum += x[i + cols];
        }
        if (right && below) {
            sum += x[i + cols + 1];
        }
        out[i] = sum;
    }
    // END SOLUTION
}
