constexpr int COLS = 256;

// A thread for each element of the result, which follows the formula; a block for each row, which it shares.
__global__ void softmax(const float* __restrict__ x, float* __restrict__ out) {
    __shared__ float row[COLS];
    const long long mine = static_cast<long long>(blockIdx.x) * COLS + threadIdx.x;
    row[threadIdx.x] = x[mine];
    __syncthreads();
    float largest = row[0];
    for (int i = 1; i < COLS; ++i) {
        largest = fmaxf(largest, row[i]);
    }
    float sum = 0.0f;
    for (int i = 0; i < COLS; ++i) {
        sum += expf(row[i] - largest);
    }
    out[mine] = expf(row[threadIdx.x] - largest) / sum;
}
