// Naive: a thread for each element, and in the tree ever fewer lanes of every warp work while the others wait.

#include <math.h>  // INFINITY

__global__ void block_max(const float* x, float* out, int n) {
    __shared__ float values[256];
    const int t = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + t;
    values[t] = i < n ? x[i] : -INFINITY;
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        if (t % (2 * distance) == 0) {
            const float other = values[t + distance];
            values[t] = values[t] > other || values[t] != values[t] ? values[t] : other;  // NaN stays
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = values[0];
    }
}
