// LayerNorm: out[row][col] = (x[row][col] - mean) / sqrt(variance + 1e-5) * weight[col] + bias[col], row-major, with
// mean and variance (over n, not n - 1) of the row.
//
// Idea   a block owns a row and keeps it in registers: 16 floats for each thread are read once, then gone over three
//        times: for the mean, for the squared distances from it, for the result. Three passes, one read.
// Bytes  8 rows cols (one read, one write of 4 bytes); weight and bias stay in the caches      Flops  7 rows cols
// Bound  memory: a flop for each byte. The copy bandwidth is the ceiling.

// TODO: write a block-wide sum that every thread gets; it is needed twice

__global__ void layernorm(const float* __restrict__ x, const float* __restrict__ weight,
                          const float* __restrict__ bias, float* __restrict__ out, int rows, int cols) {
    // TODO: one block for each row: read it once; mean, then variance around it, then the result
}
