// Cross entropy: out[row] = log(sum of exp(x)) - x[target] over the row x of row-major logits (rows x vocab).
//
// Idea   a block owns a row and walks over it once. Each thread keeps the largest logit it has met and the sum of
//        exp(x - largest), *online*: where the largest grows, the sum so far is scaled down. At the end the threads' pairs
//        are put on the same footing and added up. Of the probabilities none is stored, not even that of the target.
// Bytes  4 rows vocab + 12 rows (every logit is read once)
// Flops  4 rows vocab (maximum, subtract, exp, add), counting exp as one
// Bound  memory: an exponential and half a dozen instructions are a quarter of what the card issues while 4 bytes come.

#include <math.h>  // INFINITY

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part

// SOLUTION: write a __device__ function that takes four more logits into m and s, and reductions over warp and block
// m: the largest logit so far; s: the sum of their exp(x - m).
__device__ void take(float& m, float& s, float a, float b, float c, float d) {
    const float larger = fmaxf(m, fmaxf(fmaxf(a, b), fmaxf(c, d)));
    const float base = larger == -INFINITY ? 0.0f : larger;  // only -inf so far: (-inf) - (-inf) would be NaN
    s *= __expf(m - base);                                   // once for four
    s += (__expf(a - base) + __expf(b - base)) + (__expf(c - base) + __expf(d - base));
    m = larger;
}

__device__ float warp_max(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v = fmaxf(v, __shfl_xor_sync(ALL, v, distance));
    }
    return v;
}

__device__ float warp_sum(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v += __shfl_xor_sync(ALL, v, distance);
    }
    return v;
}

__device__ float block_max(float v) {
    __shared__ float largest[32];
    v = warp_max(v);
    if (threadIdx.x % 32 == 0) {
        largest[threadIdx.x / 32] = v;
    }
    __syncthreads();
    return warp_max(threadIdx.x % 32 < blockDim.x / 32 ? largest[threadIdx.x % 32] : -INFINITY);
}

__device__ float block_sum(float v) {
    __shared__ float sums[32];  // not those of block_max: a slow warp may still read there
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = v;
    }
    __syncthreads();
    return warp_sum(threadIdx.x % 32 < blockDim.x / 32 ? sums[threadIdx.x % 32] : 0.0f);
}
// END SOLUTION

__global__ void cross_entropy(const float* __restrict__ logits, const long long* __restrict__ targets,
                              float* __restrict__ out, int vocab) {
    // SOLUTION: walk over this block's row once for maximum and sum, combine the threads' pairs, store one loss
    const int row = blockIdx.x;
    const float* x = logits + static_cast<long long>(row) * vocab;
    const float target = threadIdx.x == 0 ? x[targets[row]] : 0.0f;  // two latencies that pass while the row is read
    float m = -INFINITY;
    float s = 0.0f;
    const int fours = vocab % 4 == 0 ? vocab / 4 : 0;  // else most rows do not begin on 16 bytes
#pragma unroll 4
    for (int i = threadIdx.x; i < fours; i += blockDim.x) {
        const float4 v = reinterpret_cast<const float4*>(x)[i];
        take(m, s, v.x, v.y, v.z, v.w);
    }
    for (int start = 4 * fours + threadIdx.x; start < vocab; start += 4 * blockDim.x) {
        float v[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {  // a block apart, so that neighbours read neighbours; -inf past the end adds nothing
            const int col = start + k * blockDim.x;
            v[k] = col < vocab ? x[col] : -INFINITY;
        }
        take(m, s, v[0], v[1], v[2], v[3]);
    }
    const float row_max = block_max(m);
    s *= __expf(m - (row_max == -INFINITY ? 0.0f : row_max));  // all sums on the same footing
    s = block_sum(s);
    if (threadIdx.x == 0) {
        out[row] = (row_max - target) + logf(s);  // the two large numbers first: their difference is exact, or nearly
    }
    // END SOLUTION
}
