#include <math.h>  // INFINITY

constexpr int COLS = 256;
constexpr int EACH = COLS / 32;

// A warp for each row in both kernels; `top` is the first one of the slab.
__global__ void statistics(const float* __restrict__ x, float* __restrict__ largest, float* __restrict__ sum,
                           int rows, int top) {
    const int slot = blockIdx.x * blockDim.y + threadIdx.y;
    const int row = top + slot;
    if (row >= rows) {
        return;
    }
    float v[EACH];
    float high = -INFINITY;
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        v[i] = x[row * COLS + i * 32 + threadIdx.x];
        high = fmaxf(high, v[i]);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        high = fmaxf(high, __shfl_xor_sync(0xffffffff, high, distance));
    }
    float total = 0.0f;
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        total += __expf(v[i] - high);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        total += __shfl_xor_sync(0xffffffff, total, distance);
    }
    if (threadIdx.x == 0) {
        largest[slot] = high;
        sum[slot] = total;
    }
}

__global__ void divide(const float* __restrict__ x, const float* __restrict__ largest, const float* __restrict__ sum,
                       float* __restrict__ out, int rows, int top) {
    const int slot = blockIdx.x * blockDim.y + threadIdx.y;
    const int row = top + slot;
    if (row >= rows) {
        return;
    }
    const float high = largest[slot];
    const float scale = 1.0f / sum[slot];
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        const int at = row * COLS + i * 32 + threadIdx.x;
        out[at] = __expf(x[at] - high) * scale;
    }
}
