// Naive: each thread makes a stretch of neighbours, so that the 32 lanes of a warp are far apart: nothing coalesces.

__global__ void multiply(const float* a, const float* b, float* out, int n, int each) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each && i < n; ++i) {
        out[i] = a[i] * b[i];
    }
}
