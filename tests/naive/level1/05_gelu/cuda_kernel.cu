// Naive: 4 bytes at a time, one element for each thread, blocks of a single warp.

__global__ void gelu(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = 0.5f * x[i] * (1.0f + erff(x[i] * 0.70710678f));
    }
}
