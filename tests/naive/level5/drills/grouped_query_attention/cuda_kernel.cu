// Naive: a thread for each query, with its sums in registers; keys and values are read number by number.

#include <cuda_fp16.h>

constexpr int DIM = 64;

__global__ void grouped_query_attention(const half* q, const half* k, const half* v, half* out, int seq, int group) {
    const int query = blockIdx.y * blockDim.x + threadIdx.x;
    if (query >= seq) {
        return;
    }
    q += (blockIdx.x * seq + query) * DIM;
    out += (blockIdx.x * seq + query) * DIM;
    k += blockIdx.x / group * seq * DIM;
    v += blockIdx.x / group * seq * DIM;
    float sums[DIM] = {};
    float total = 0.0f;
    float largest = -1e30f;
    for (int key = 0; key < seq; ++key) {
        float score = 0.0f;
#pragma unroll
        for (int d = 0; d < DIM; ++d) {
            score += __half2float(q[d]) * __half2float(k[key * DIM + d]);
        }
        score *= 0.125f;
        const float larger = fmaxf(largest, score);
        const float shrink = expf(largest - larger);
        const float weight = expf(score - larger);
        total = total * shrink + weight;
        largest = larger;
#pragma unroll
        for (int d = 0; d < DIM; ++d) {
            sums[d] = sums[d] * shrink + weight * __half2float(v[key * DIM + d]);
        }
    }
#pragma unroll
    for (int d = 0; d < DIM; ++d) {
        out[d] = __float2half(sums[d] / total);
    }
}
