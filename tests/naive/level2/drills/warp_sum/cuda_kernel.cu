// Naive: no shuffles: a thread for each group, so that the 32 lanes of a warp touch 32 groups: nothing coalesces.

__global__ void warp_sums(const float* x, float* out, int n) {
    const int first = 32 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first < n) {
        float sum = 0.0f;
        for (int i = first; i < first + 32 && i < n; ++i) {
            sum += x[i];
        }
        out[first / 32] = sum;
    }
}
