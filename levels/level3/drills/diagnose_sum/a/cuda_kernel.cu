__global__ void zero(float* out) {
    out[0] = 0.0f;
}

__global__ void sum(const float* __restrict__ x, float* __restrict__ out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(out, x[i]);
    }
}
