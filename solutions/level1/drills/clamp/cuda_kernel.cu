// Clamp: out[i] = low below low, high above high, x[i] in between, NaN for NaN.
//
// Idea   two selects; the question is asked so that its answer for NaN, false, keeps x.
// Bytes  8 n (one read, one write of 4 bytes)      Flops  2 n (comparisons)
// Bound  memory: the copy bandwidth is the ceiling; the grid-stride loop of rung 2 keeps several loads in flight.

__global__ void clamp(const float* __restrict__ x, float* __restrict__ out, int n, float low, float high) {
    // SOLUTION: in a grid-stride loop, store low, high or x itself, and NaN where x is NaN
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const float v = x[i];
        out[i] = v < low ? low : (v > high ? high : v);
    }
    // END SOLUTION
}
