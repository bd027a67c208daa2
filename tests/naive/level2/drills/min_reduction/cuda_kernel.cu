// Naive: an atomic for each element, all of them on the same address, one after the other.

__global__ void min_all(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const unsigned bits = x[i] != x[i] ? 0xffffffff : __float_as_uint(x[i]);  // NaN is the least of all
        if (bits < 0x80000000) {
            atomicMin(reinterpret_cast<int*>(out), static_cast<int>(bits));  // from +0 up: in their bits' order
        } else {
            atomicMax(reinterpret_cast<unsigned*>(out), bits);  // from -0 down: the other way round
        }
    }
}
