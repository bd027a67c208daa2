// Vector add: out[i] = a[i] + b[i].
//
// Idea   one thread per element; neighbouring threads touch neighbouring addresses, so loads and stores coalesce.
// Bytes  12 n (two reads, one write of 4 bytes)      Flops  n
// Bound  memory: 1 flop per 12 bytes is far below any GPU's balance, so the copy bandwidth is the ceiling.

__global__ void add(const float* a, const float* b, float* out, int n) {
    // SOLUTION: compute this thread's global index; if it is inside the vectors, add one element
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = a[i] + b[i];
    }
    // END SOLUTION
}
