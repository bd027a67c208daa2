// My exercise: out[i] = 2 * x[i].
//
// Idea   one thread for each element.
// Bytes  8 n (one read, one write of 4 bytes)      Flops  n
// Bound  memory: the copy bandwidth is the ceiling.

__global__ void my_exercise_kernel(const float* __restrict__ x, float* __restrict__ out, int n) {
    // SOLUTION: store twice each element, one in each thread
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = 2.0f * x[i];
    }
    // END SOLUTION
}
