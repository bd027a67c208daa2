// Naive: in double precision, one element for each thread, blocks of a single warp.

__global__ void silu(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const double v = x[i];
        out[i] = v / (1.0 + exp(-v));
    }
}
