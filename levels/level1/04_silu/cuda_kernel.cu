// SiLU (swish): out[i] = x[i] * sigmoid(x[i]), where sigmoid(x) = 1 / (1 + e^-x).
//
// Idea   one exponential and one division for each element, arranged so that no infinity meets another.
// Bytes  8 n (one read, one write of 4 bytes)      Flops  4 n (negate, exp, add, divide)
// Bound  memory, as long as the arithmetic stays under some 50 instructions an element and does not keep the
//        thread's next loads waiting.

__global__ void silu(const float* __restrict__ x, float* __restrict__ out, int n) {
    // TODO: for EACH elements, a block apart, store x * sigmoid(x), finite for every finite x
}
