// Volume permute: out[j][i][k] = x[i][j][k]; x is d x h x w, out is h x d x w, both row-major.
//
// Idea   a thread has three indices; k, along which memory runs in both volumes, belongs to x.
// Bytes  8 d h w (one read, one write of 4 bytes)      Flops  none
// Bound  memory: rows move whole, so reads and writes both coalesce, and the copy bandwidth is the ceiling.

__global__ void permute(const float* __restrict__ x, float* __restrict__ out, int d, int h, int w) {
    // TODO: compute k, i (from x, z) and EACH values of j (from y, a block apart); move what is inside
}
