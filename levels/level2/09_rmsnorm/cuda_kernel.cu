// RMSNorm: out[row][col] = x[row][col] / sqrt(mean of the row's squares + 1e-5) * weight[col], row-major.
//
// Idea   a block owns a row and keeps it in registers: 16 floats for each thread are read once, squared and summed
//        across the block, scaled, and written once. The scale needs the whole row, but DRAM need not be asked twice.
// Bytes  8 rows cols (one read, one write of 4 bytes); weight stays in the caches      Flops  4 rows cols
// Bound  memory: half a flop for each byte. The copy bandwidth is the ceiling.

// TODO: write a block-wide sum: shuffles inside each warp, one number per warp through shared memory

__global__ void rmsnorm(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out,
                        int rows, int cols) {
    // TODO: one block for each row: read it once, sum its squares, scale it by rsqrtf(mean + 1e-5) and weight
}
