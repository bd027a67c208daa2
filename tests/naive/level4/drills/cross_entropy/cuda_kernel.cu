// Naive: a kernel for each step, so that the logits are read twice; and blocks of a single warp, one for each row.

#include <math.h>  // INFINITY

constexpr unsigned ALL = 0xffffffff;

__global__ void row_max(const float* logits, float* largest, int vocab) {
    const float* x = logits + static_cast<long long>(blockIdx.x) * vocab;
    float mine = -INFINITY;
    for (int col = threadIdx.x; col < vocab; col += 32) {
        mine = fmaxf(mine, x[col]);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        mine = fmaxf(mine, __shfl_xor_sync(ALL, mine, distance));
    }
    if (threadIdx.x == 0) {
        largest[blockIdx.x] = mine;
    }
}

__global__ void loss(const float* logits, const long long* targets, const float* largest, float* out, int vocab) {
    const float* x = logits + static_cast<long long>(blockIdx.x) * vocab;
    float mine = 0.0f;
    for (int col = threadIdx.x; col < vocab; col += 32) {
        mine += expf(x[col] - largest[blockIdx.x]);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        mine += __shfl_xor_sync(ALL, mine, distance);
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = largest[blockIdx.x] - x[targets[blockIdx.x]] + logf(mine);
    }
}
