// Naive: a branch for each element, one element for each thread, blocks of a single warp.

__global__ void relu(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (x[i] < 0.0f) {
            out[i] = 0.0f;
        } else {
            out[i] = x[i];
        }
    }
}
