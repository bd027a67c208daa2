// Naive: the squares go to memory and back; and in the tree ever fewer lanes of every warp work, the others wait.

__global__ void square(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = x[i] * x[i];
    }
}

__global__ void block_sums(const float* x, float* out, int n) {
    __shared__ float values[256];
    const int t = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + t;
    values[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        if (t % (2 * distance) == 0) {
            values[t] += values[t + distance];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = values[0];
    }
}
