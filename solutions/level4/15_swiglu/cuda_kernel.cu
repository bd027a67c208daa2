// SwiGLU: out[i] = silu(gate[i]) * up[i] in bfloat16, where silu(x) = x / (1 + e^-x).
//
// Idea   one pass for activation and product: silu(gate) lives in a register and never goes to memory. A bfloat16 is
//        two bytes, so that a thread takes eight of each input to load 16 bytes at once. Arithmetic is float32 and
//        is rounded once, on storing.
// Bytes  6 n (two reads, one write of 2 bytes; in two kernels it would be 10 n)
// Flops  5 n (negate, exp, add, divide, multiply)
// Bound  memory: some ten instructions for each element, and the card could issue 40 while six bytes move.

#include <cuda_bf16.h>

// SOLUTION: write a __device__ function for silu(gate) * up in float32
__device__ float swiglu_of(float gate, float up) {
    return __fdividef(gate, 1.0f + __expf(-gate)) * up;  // gate < -88: a quotient by infinity, the right 0
}
// END SOLUTION

__global__ void swiglu(const __nv_bfloat16* __restrict__ gate, const __nv_bfloat16* __restrict__ up,
                       __nv_bfloat16* __restrict__ out, int n) {
    // SOLUTION: eight elements for each thread with 16-byte loads and stores; what is left of n, one by one
    const int i = blockIdx.x * blockDim.x + threadIdx.x;  // counts eights: n / 8 of them are whole
    if (i < n / 8) {
        const uint4 g = reinterpret_cast<const uint4*>(gate)[i];  // uint4: one instruction moves it, 16 bytes
        const uint4 u = reinterpret_cast<const uint4*>(up)[i];
        uint4 result;
#pragma unroll
        for (int k = 0; k < 4; ++k) {  // each of its four words is a pair of bfloat16
            const float2 a = __bfloat1622float2(reinterpret_cast<const __nv_bfloat162*>(&g)[k]);
            const float2 b = __bfloat1622float2(reinterpret_cast<const __nv_bfloat162*>(&u)[k]);
            reinterpret_cast<__nv_bfloat162*>(&result)[k] =
                __floats2bfloat162_rn(swiglu_of(a.x, b.x), swiglu_of(a.y, b.y));
        }
        reinterpret_cast<uint4*>(out)[i] = result;
    } else if (i == n / 8) {
        for (int k = n / 8 * 8; k < n; ++k) {  // at most seven, for a single thread: nobody will notice
            out[k] = __float2bfloat16(swiglu_of(__bfloat162float(gate[k]), __bfloat162float(up[k])));
        }
    }
    // END SOLUTION
}
