// Never ends.
__global__ void add(const float* a, const float* b, float* out, int n) {
    volatile const float* same = a;
    while (same[0] == same[0]) {
    }
    out[0] = same[0];
}
