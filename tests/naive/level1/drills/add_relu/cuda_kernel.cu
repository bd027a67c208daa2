// Naive: a kernel for each of the two operations, and the sum goes to memory and back between them.

__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        sum[i] = a[i] + b[i];
    }
}

__global__ void relu(const float* sum, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = sum[i] < 0.0f ? 0.0f : sum[i];
    }
}
