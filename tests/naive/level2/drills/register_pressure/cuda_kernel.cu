// Naive: sorts where the result is to stand, in global memory, by exchanging neighbours.

__global__ void sort_columns(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    for (int k = 0; k < 32; ++k) {
        out[k * n + i] = x[k * n + i];
    }
    for (int end = 31; end > 0; --end) {
        for (int k = 0; k < end; ++k) {
            const float first = out[k * n + i];
            const float second = out[(k + 1) * n + i];
            out[k * n + i] = fminf(first, second);
            out[(k + 1) * n + i] = fmaxf(first, second);
        }
    }
}
