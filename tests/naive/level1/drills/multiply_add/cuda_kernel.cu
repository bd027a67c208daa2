// Naive: a kernel for each of the two operations, and the product goes to memory and back between them.

__global__ void multiply(const float* a, const float* b, float* product, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        product[i] = a[i] * b[i];
    }
}

__global__ void add(const float* product, const float* c, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = product[i] + c[i];
    }
}
