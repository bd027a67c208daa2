// Naive: no Tensor Cores and no tiles: a thread walks over a token and a row of weights, element by element.

#include <cuda_bf16.h>

__global__ void project(const __nv_bfloat16* x, const __nv_bfloat16* w, __nv_bfloat16* out, int batch, int seq, int dim,
                        int heads, int head_dim) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int token = blockIdx.y * blockDim.y + threadIdx.y;
    if (token < batch * seq && col < heads * head_dim) {
        float sum = 0.0f;
        for (int i = 0; i < dim; ++i) {
            sum += __bfloat162float(x[token * dim + i]) * __bfloat162float(w[col * dim + i]);
        }
        const int head = token / seq * heads + col / head_dim;
        out[(head * seq + token % seq) * head_dim + col % head_dim] = __float2bfloat16(sum);
    }
}
