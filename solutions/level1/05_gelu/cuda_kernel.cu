// GELU, exact: out[i] = x[i] * Phi(x[i]), where Phi(x) = (1 + erf(x / sqrt(2))) / 2 is the normal distribution.
//
// Idea   one thread owns four neighbouring elements and moves them with one 16-byte load and one 16-byte store; the
//        threads after the last full four take one element each. (16-byte access wants x and out aligned to 16 bytes.)
// Bytes  8 n (one read, one write of 4 bytes)      Flops  5 n, counting erf as one
// Bound  memory: erf costs some 25 instructions, half of what the card can issue while 8 bytes arrive.

// SOLUTION: write a __device__ function that returns the GELU of one float
__device__ float gelu_of(float x) {
    const float sqrt_half = 0.70710678f;
    return 0.5f * x * (1.0f + erff(x * sqrt_half));
}
// END SOLUTION

__global__ void gelu(const float* __restrict__ x, float* __restrict__ out, int n) {
    // SOLUTION: make elements 4i to 4i+3 through float4, i the global index; three threads more take the ragged tail
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int fours = n / 4;
    if (i < fours) {
        const float4 v = reinterpret_cast<const float4*>(x)[i];
        reinterpret_cast<float4*>(out)[i] = make_float4(gelu_of(v.x), gelu_of(v.y), gelu_of(v.z), gelu_of(v.w));
    } else if (3 * fours + i < n) {  // at most three threads, an element each: i = fours makes element 4 * fours
        out[3 * fours + i] = gelu_of(x[3 * fours + i]);
    }
    // END SOLUTION
}
