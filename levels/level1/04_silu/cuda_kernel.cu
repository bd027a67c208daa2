// SiLU (swish): out[i] = x[i] * sigmoid(x[i]), where sigmoid(x) = 1 / (1 + e^-x).
//
// Idea   one exponential and one division for each element, arranged so that no infinity meets another; four elements
//        for each thread, which come and go as one float4. (x and out must be aligned to 16 bytes.)
// Bytes  8 n (one read, one write of 4 bytes)      Flops  4 n (negate, exp, add, divide)
// Bound  memory, as long as the arithmetic stays under some 50 instructions an element.

// TODO: write a __device__ function that returns the SiLU of one float, finite for every finite x

__global__ void silu(const float* __restrict__ x, float* __restrict__ out, int n) {
    // TODO: make elements 4i to 4i+3 through float4, i the global index; three threads more take the ragged tail
}
