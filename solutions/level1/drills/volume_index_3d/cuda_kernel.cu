// Volume permute: out[j][i][k] = x[i][j][k]; x is d x h x w, out is h x d x w, both row-major.
//
// Idea   a thread has three indices; k, along which memory runs in both volumes, belongs to x.
// Bytes  8 d h w (one read, one write of 4 bytes)      Flops  none
// Bound  memory: rows move whole, so reads and writes both coalesce, and the copy bandwidth is the ceiling.

__global__ void permute(const float* __restrict__ x, float* __restrict__ out, int d, int h, int w) {
    // SOLUTION: compute k, i (from x, z) and EACH values of j (from y, a block apart); move what is inside
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = blockIdx.y * (EACH * blockDim.y) + threadIdx.y;
    const int i = blockIdx.z * blockDim.z + threadIdx.z;
    #pragma unroll
    for (int step = 0; step < EACH; ++step) {
        const int j = first + step * blockDim.y;
        if (i < d && j < h && k < w) {
            out[(j * d + i) * w + k] = x[(i * h + j) * w + k];
        }
    }
    // END SOLUTION
}
