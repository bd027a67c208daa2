// Vector multiply: out[i] = a[i] * b[i].
//
// Idea   a grid of fixed size walks over the vectors: each thread makes an element, then steps over all the others.
// Bytes  12 n (two reads, one write of 4 bytes)      Flops  n
// Bound  memory: the copy bandwidth is the ceiling. Several elements in flight for each thread help to reach it,
//        and __restrict__ lets the compiler start the next loads before the last store is done.

__global__ void multiply(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int n) {
    // TODO: start at this thread's global index and step by the number of threads in the grid, up to n
}
