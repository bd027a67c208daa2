// Writes far outside every tensor.
__global__ void add(const float* a, const float* b, float* out, int n) {
    out[threadIdx.x + (1ll << 40)] = a[0] + b[0];
}
