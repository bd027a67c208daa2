// Naive: x belongs to the first index, so the 32 lanes of a warp touch 32 planes of x: nothing coalesces.

__global__ void permute(const float* x, float* out, int d, int h, int w) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < d && j < h && k < w) {
        out[(j * d + i) * w + k] = x[(i * h + j) * w + k];
    }
}
