// Naive: a kernel for the activation and one for the product, so that silu(gate) goes to memory and back, in float32 to
// lose nothing on the way; a thread for each element, two bytes to a load.

#include <cuda_bf16.h>

__global__ void silu(const __nv_bfloat16* gate, float* activated, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float v = __bfloat162float(gate[i]);
        activated[i] = v / (1.0f + expf(-v));
    }
}

__global__ void product(const float* activated, const __nv_bfloat16* up, __nv_bfloat16* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = __float2bfloat16(activated[i] * __bfloat162float(up[i]));
    }
}
