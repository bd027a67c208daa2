// Does not compile: no semicolon in line 3.
__global__ void add(const float* a, const float* b, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x
    if (i < n) out[i] = a[i] + b[i];
}
