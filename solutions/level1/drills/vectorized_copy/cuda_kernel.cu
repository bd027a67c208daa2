// Vectorized copy: out[i] = x[i], the caller having advanced x by the offset.
//
// Idea   a float4 moves 16 bytes with one instruction; it wants both addresses on a 16-byte boundary.
// Bytes  8 n (one read, one write of 4 bytes)      Flops  none
// Bound  memory: this kernel is what the copy bandwidth is measured with.

__global__ void copy4(const float* __restrict__ x, float* __restrict__ out, int n, int offset) {
    // SOLUTION: for an offset that is a multiple of 4: one float4 for each thread; three threads more take the tail
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int fours = n / 4;
    x += offset;
    if (i < fours) {
        reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(x)[i];
    } else if (3 * fours + i < n) {  // at most three threads, an element each: i = fours makes element 4 * fours
        out[3 * fours + i] = x[3 * fours + i];
    }
    // END SOLUTION
}

__global__ void copy1(const float* __restrict__ x, float* __restrict__ out, int n, int offset) {
    // SOLUTION: for any offset: one element for each thread
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = x[i + offset];
    }
    // END SOLUTION
}
