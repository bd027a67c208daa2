// Naive: a thread for each query, which walks over the keys one by one: no tiles, no Tensor Cores.

#include <cuda_fp16.h>
#include <math.h>  // INFINITY

template <int DIM>
__global__ void attention(const half* q, const half* k, const half* v, half* out, int seq) {
    const int query = blockIdx.x * blockDim.x + threadIdx.x;
    const long long head = static_cast<long long>(blockIdx.y) * seq * DIM;
    if (query >= seq) {
        return;
    }
    float sums[DIM] = {};
    float total = 0.0f;
    float largest = -INFINITY;
    for (int key = 0; key <= query; ++key) {
        float score = 0.0f;
        for (int d = 0; d < DIM; ++d) {
            score += __half2float(q[head + query * DIM + d]) * __half2float(k[head + key * DIM + d]);
        }
        score /= sqrtf(DIM);
        const float larger = fmaxf(largest, score);
        const float factor = expf(largest - larger);
        const float weight = expf(score - larger);
        total = total * factor + weight;
        for (int d = 0; d < DIM; ++d) {
            sums[d] = sums[d] * factor + weight * __half2float(v[head + key * DIM + d]);
        }
        largest = larger;
    }
    for (int d = 0; d < DIM; ++d) {
        out[head + query * DIM + d] = __float2half(sums[d] / total);
    }
}
