// ReLU: out[i] = x[i] where it is positive, 0 where it is negative, NaN where it is NaN.
//
// Idea   choose between two values that are both at hand: the compiler makes a select of it, and no warp diverges. One
//        thread owns four neighbouring elements, a float4: one load and one store of 16 bytes instead of four each.
//        The threads after the last full four take one element each. (x and out must be aligned to 16 bytes.)
// Bytes  8 n (one read, one write of 4 bytes)      Flops  n (one comparison each)
// Bound  memory: the copy bandwidth is the ceiling.

// TODO: write a __device__ function that returns the ReLU of one float

__global__ void relu(const float* __restrict__ x, float* __restrict__ out, int n) {
    // TODO: make elements 4i to 4i+3 through float4, i the global index; three threads more take the ragged tail
}
