// Naive: a kernel for each step, so that x is read three times; and blocks of a single warp, one for each row.

constexpr unsigned ALL = 0xffffffff;

__device__ float warp_sum(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v += __shfl_xor_sync(ALL, v, distance);
    }
    return v;
}

__global__ void row_mean(const float* x, float* mean, int cols) {
    const long long start = static_cast<long long>(blockIdx.x) * cols;
    float sum = 0.0f;
    for (int col = threadIdx.x; col < cols; col += 32) {
        sum += x[start + col];
    }
    mean[blockIdx.x] = warp_sum(sum) / cols;
}

__global__ void row_scale(const float* x, const float* mean, float* scale, int cols) {
    const long long start = static_cast<long long>(blockIdx.x) * cols;
    float squares = 0.0f;
    for (int col = threadIdx.x; col < cols; col += 32) {
        const float distance = x[start + col] - mean[blockIdx.x];
        squares += distance * distance;
    }
    scale[blockIdx.x] = rsqrtf(warp_sum(squares) / cols + 1e-5f);
}

__global__ void apply(const float* x, const float* mean, const float* scale, const float* weight, const float* bias,
                      float* out, int cols) {
    const long long start = static_cast<long long>(blockIdx.x) * cols;
    for (int col = threadIdx.x; col < cols; col += 32) {
        const float distance = x[start + col] - mean[blockIdx.x];
        out[start + col] = distance * scale[blockIdx.x] * weight[col] + bias[col];
    }
}
