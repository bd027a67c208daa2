// ReLU: out[i] = x[i] where it is positive, 0 where it is negative, NaN where it is NaN.
//
// Idea   choose between two values that are both at hand: the compiler makes a select of it, and no warp diverges.
// Bytes  8 n (one read, one write of 4 bytes)      Flops  n (one comparison each)
// Bound  memory: the copy bandwidth is the ceiling; eight loads in flight for each thread reach it.

__global__ void relu(const float* __restrict__ x, float* __restrict__ out, int n) {
    // SOLUTION: for EACH elements, a block apart, store 0 where x is negative and x itself everywhere else
    const int first = blockIdx.x * (EACH * blockDim.x) + threadIdx.x;
    #pragma unroll
    for (int k = 0; k < EACH; ++k) {
        const int i = first + k * blockDim.x;
        if (i < n) {
            const float v = x[i];
            out[i] = v < 0.0f ? 0.0f : v;  // false for NaN, so NaN takes the second value: itself
        }
    }
    // END SOLUTION
}
