// Softmax of every row of a row-major matrix: out = exp(x - m) / s, where m = max(x) and s = sum(exp(x - m)) of the row.
//
// Idea   a block owns a row and keeps it in registers, 16 or 32 floats in each thread, so that it is read once: maximum,
//        exponentials, sum, quotient, store. A row that is too long for that is walked over twice, and the first walk
//        makes maximum and sum together, *online*: where the maximum grows, the sum so far is scaled down to match.
// Bytes  8 rows cols (one read, one write; the second walk finds most of its row in the L2 cache)
// Flops  5 rows cols, counting exp as one
// Bound  memory: an exponential and a dozen instructions are a quarter of what the card issues while 8 bytes move.

#include <math.h>  // INFINITY

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part

// SOLUTION: write __device__ functions: maximum and sum over a warp, which all its lanes get, and over a block
__device__ float warp_max(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v = fmaxf(v, __shfl_xor_sync(ALL, v, distance));  // partners swap: in the end every lane has the result
    }
    return v;
}

__device__ float warp_sum(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v += __shfl_xor_sync(ALL, v, distance);
    }
    return v;
}

// Both blocks' results go to all threads, for every warp makes the last step itself: one barrier, no broadcast. Each
// call has its own shared array, so no call can overwrite what a slower warp has yet to read for the one before.
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
    __shared__ float sums[32];
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = v;
    }
    __syncthreads();
    return warp_sum(threadIdx.x % 32 < blockDim.x / 32 ? sums[threadIdx.x % 32] : 0.0f);
}
// END SOLUTION

// Rows of at most 4 * FOURS * blockDim.x columns, and a multiple of four, so that every row begins on 16 bytes.
template <int FOURS>
__global__ void softmax_in_registers(const float* __restrict__ x, float* __restrict__ out, int cols) {
    // SOLUTION: load the row, FOURS float4 for each thread; maximum, exponentials, sum, and store
    const float4* row = reinterpret_cast<const float4*>(x + static_cast<long long>(blockIdx.x) * cols);
    float4* out_row = reinterpret_cast<float4*>(out + static_cast<long long>(blockIdx.x) * cols);
    float4 v[FOURS];
    float mine = -INFINITY;
#pragma unroll
    for (int k = 0; k < FOURS; ++k) {  // all loads start before the first is needed
        const int i = k * blockDim.x + threadIdx.x;
        v[k] = i < cols / 4 ? row[i] : make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
    }
#pragma unroll
    for (int k = 0; k < FOURS; ++k) {
        mine = fmaxf(mine, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)));
    }
    const float m = block_max(mine);
    mine = 0.0f;
#pragma unroll
    for (int k = 0; k < FOURS; ++k) {  // no argument is positive, so nothing overflows; past the end, exp(-inf) is 0
        v[k] = make_float4(__expf(v[k].x - m), __expf(v[k].y - m), __expf(v[k].z - m), __expf(v[k].w - m));
        mine += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    const float scale = 1.0f / block_sum(mine);
#pragma unroll
    for (int k = 0; k < FOURS; ++k) {
        const int i = k * blockDim.x + threadIdx.x;
        if (i < cols / 4) {
            out_row[i] = make_float4(v[k].x * scale, v[k].y * scale, v[k].z * scale, v[k].w * scale);
        }
    }
    // END SOLUTION
}

// Rows of any length.
__global__ void softmax_online(const float* __restrict__ x, float* __restrict__ out, int cols) {
    // SOLUTION: walk over the row for maximum and sum together, combine the threads' pairs, walk again to store
    x += static_cast<long long>(blockIdx.x) * cols;
    out += static_cast<long long>(blockIdx.x) * cols;
    float m = -INFINITY;  // of what this thread has seen, and
    float s = 0.0f;       // the sum of its exp(x - m)
    for (int start = threadIdx.x; start < cols; start += 4 * blockDim.x) {
        float v[4];
        float larger = m;
#pragma unroll
        for (int k = 0; k < 4; ++k) {  // four at a time: four loads under way, and the sum is scaled once for them
            const int col = start + k * blockDim.x;
            v[k] = col < cols ? x[col] : -INFINITY;
            larger = fmaxf(larger, v[k]);
        }
        const float base = larger == -INFINITY ? 0.0f : larger;  // all masked so far: (-inf) - (-inf) would be NaN
        s *= __expf(m - base);
        m = larger;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            s += __expf(v[k] - base);
        }
    }
    const float row_max = block_max(m);
    s *= __expf(m - (row_max == -INFINITY ? 0.0f : row_max));  // all sums on the same footing
    const float scale = 1.0f / block_sum(s);
    for (int start = threadIdx.x; start < cols; start += 4 * blockDim.x) {
        float v[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int col = start + k * blockDim.x;
            v[k] = col < cols ? x[col] : 0.0f;
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int col = start + k * blockDim.x;
            if (col < cols) {
                out[col] = __expf(v[k] - row_max) * scale;
            }
        }
    }
    // END SOLUTION
}
