// Naive: a thread for each element, which reads its partner as well (so that all is read twice), two bytes to a load, and
// divides its way back from a flat index; a kernel for each of the two tensors.

#include <cuda_bf16.h>

__global__ void rotate(const __nv_bfloat16* x, const __nv_bfloat16* cos, const __nv_bfloat16* sin, __nv_bfloat16* out,
                       int seq, int heads, int half_dim, long long n) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const int dim = i % (2 * half_dim);
    const long long position = i / (2 * half_dim) / heads % seq;
    const int d = dim % half_dim;
    const float c = __bfloat162float(cos[position * half_dim + d]);
    const float s = __bfloat162float(sin[position * half_dim + d]);
    const float mine = __bfloat162float(x[i]);
    const float other = dim < half_dim ? -__bfloat162float(x[i + half_dim]) : __bfloat162float(x[i - half_dim]);
    out[i] = __float2bfloat16(mine * c + other * s);
}
