// SwiGLU: out[i] = silu(gate[i]) * up[i] in bfloat16, where silu(x) = x / (1 + e^-x).
//
// Idea   one pass for activation and product: silu(gate) lives in a register and never goes to memory. A bfloat16 is
//        two bytes, so that a thread takes eight of each input to load 16 bytes at once. Arithmetic is float32 and
//        is rounded once, on storing.
// Bytes  6 n (two reads, one write of 2 bytes; in two kernels it would be 10 n)
// Flops  5 n (negate, exp, add, divide, multiply)
// Bound  memory: some ten instructions for each element, and the card could issue 40 while six bytes move.

#include <cuda_bf16.h>

// TODO: write a __device__ function for silu(gate) * up in float32

__global__ void swiglu(const __nv_bfloat16* __restrict__ gate, const __nv_bfloat16* __restrict__ up,
                       __nv_bfloat16* __restrict__ out, int n) {
    // TODO: eight elements for each thread with 16-byte loads and stores; what is left of n, one by one
}
