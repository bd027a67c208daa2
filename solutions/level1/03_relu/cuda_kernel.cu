// ReLU: out[i] = x[i] where it is positive, 0 where it is negative, NaN where it is NaN.
//
// Idea   choose between two values that are both at hand: the compiler makes a select of it, and no warp diverges. One
//        thread owns four neighbouring elements, a float4: one load and one store of 16 bytes instead of four each.
//        The threads after the last full four take one element each. (x and out must be aligned to 16 bytes.)
// Bytes  8 n (one read, one write of 4 bytes)      Flops  n (one comparison each)
// Bound  memory: the copy bandwidth is the ceiling.

// SOLUTION: write a __device__ function that returns the ReLU of one float
__device__ float relu_of(float x) {
    return x < 0.0f ? 0.0f : x;  // false for NaN, so NaN takes the second value: itself
}
// END SOLUTION

__global__ void relu(const float* __restrict__ x, float* __restrict__ out, int n) {
    // SOLUTION: make elements 4i to 4i+3 through float4, i the global index; three threads more take the ragged tail
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int fours = n / 4;
    if (i < fours) {
        const float4 v = reinterpret_cast<const float4*>(x)[i];
        reinterpret_cast<float4*>(out)[i] = make_float4(relu_of(v.x), relu_of(v.y), relu_of(v.z), relu_of(v.w));
    } else if (3 * fours + i < n) {  // at most three threads, an element each: i = fours makes element 4 * fours
        out[3 * fours + i] = relu_of(x[3 * fours + i]);
    }
    // END SOLUTION
}
