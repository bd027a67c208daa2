// GELU, exact: out[i] = x[i] * Phi(x[i]), where Phi(x) = (1 + erf(x / sqrt(2))) / 2 is the normal distribution.
//
// Idea   one thread owns four neighbouring elements and moves them with one 16-byte load and one 16-byte store; the
//        threads after the last full four take one element each. (16-byte access wants x and out aligned to 16 bytes.)
// Bytes  8 n (one read, one write of 4 bytes)      Flops  5 n, counting erf as one
// Bound  memory: erf costs some 25 instructions, half of what the card can issue while 8 bytes arrive.

// TODO: write a __device__ function that returns the GELU of one float

__global__ void gelu(const float* __restrict__ x, float* __restrict__ out, int n) {
    // TODO: make elements 4i to 4i+3 through float4, i the global index; three threads more take the ragged tail
}
