// Naive: a kernel for each step, so that x is read three times; and blocks of a single warp, one for each row.

#include <math.h>  // INFINITY

constexpr unsigned ALL = 0xffffffff;

__device__ float warp_sum(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v += __shfl_xor_sync(ALL, v, distance);
    }
    return v;
}

__global__ void row_max(const float* x, float* largest, int cols) {
    const long long start = static_cast<long long>(blockIdx.x) * cols;
    float mine = -INFINITY;
    for (int col = threadIdx.x; col < cols; col += 32) {
        mine = fmaxf(mine, x[start + col]);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        mine = fmaxf(mine, __shfl_xor_sync(ALL, mine, distance));
    }
    largest[blockIdx.x] = mine;
}

__global__ void row_sum(const float* x, const float* largest, float* sums, int cols) {
    const long long start = static_cast<long long>(blockIdx.x) * cols;
    float mine = 0.0f;
    for (int col = threadIdx.x; col < cols; col += 32) {
        mine += expf(x[start + col] - largest[blockIdx.x]);
    }
    sums[blockIdx.x] = warp_sum(mine);
}

__global__ void divide(const float* x, const float* largest, const float* sums, float* out, int cols) {
    const long long start = static_cast<long long>(blockIdx.x) * cols;
    for (int col = threadIdx.x; col < cols; col += 32) {
        out[start + col] = expf(x[start + col] - largest[blockIdx.x]) / sums[blockIdx.x];
    }
}
