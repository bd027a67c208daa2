// Vector add: out[i] = a[i] + b[i].
//
// Idea   neighbouring threads touch neighbouring addresses, so loads and stores coalesce. One element for each thread
//        is right, and on a large GPU 20 % too slow: too few loads are under way. Eight each, a block apart, fill it.
// Bytes  12 n (two reads, one write of 4 bytes)      Flops  n
// Bound  memory: 1 flop per 12 bytes is far below any GPU's balance, so the copy bandwidth is the ceiling.

__global__ void add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int n) {
    // SOLUTION: compute this thread's global index; if it is inside the vectors, add one element (later: several)
    constexpr int EACH = 8;
    const int first = blockIdx.x * (EACH * blockDim.x) + threadIdx.x;
    #pragma unroll
    for (int k = 0; k < EACH; ++k) {
        const int i = first + k * blockDim.x;
        if (i < n) {
            out[i] = a[i] + b[i];
        }
    }
    // END SOLUTION
}
