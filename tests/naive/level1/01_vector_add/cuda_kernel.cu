// Naive: a thread makes one element, and a block is a single warp: too little is under way at a time.

__global__ void add(const float* a, const float* b, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = a[i] + b[i];
    }
}
