// Traps.
__global__ void add(const float* a, const float* b, float* out, int n) {
    __trap();
}
