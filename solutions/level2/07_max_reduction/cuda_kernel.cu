// Max: out[0] = the largest of all the elements; partial has a place for each block.
//
// Idea   the tree of the sum with another operation. Two things change with it: the identity, which stands where there
//        is no element, is -infinity; and NaN, which answers "no" to every comparison, must win all the same. One
//        launch: the block that finishes last looks at what all of them left.
// Bytes  4 n (each element once; a thousand partial results do not count)      Flops  n (one comparison each)
// Bound  memory: reading at full bandwidth is the ceiling, so loads are 16 bytes wide and several are under way.

#include <math.h>  // INFINITY

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part
constexpr int BLOCK = 512;            // threads

__device__ unsigned finished;  // blocks of this launch that have left their result: 0 before it, and 0 after it

// SOLUTION: write __device__ functions: the larger of two floats, NaN if one is NaN; and the largest of a block's
constexpr int UNDER_WAY = 4;                  // loads, of 16 bytes each, that a thread starts before it uses the first
constexpr int CHUNK = UNDER_WAY * 4 * BLOCK;  // elements that a block takes at a time: neighbours, 32 KB

__device__ float larger(float a, float b) {
    return a > b || a != a ? a : b;  // only NaN differs from itself. If b is NaN, a > b is false and b comes back
}

__device__ float warp_max(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v = larger(v, __shfl_down_sync(ALL, v, distance));
    }
    return v;  // lane 0 has looked at all 32
}

__device__ float block_max(float v) {
    __shared__ float largest[BLOCK / 32];  // one for each warp
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    v = warp_max(v);
    if (lane == 0) {
        largest[warp] = v;
    }
    __syncthreads();  // all of them are there before the first warp reads them
    return warp == 0 ? warp_max(lane < BLOCK / 32 ? largest[lane] : -INFINITY) : -INFINITY;
}
// END SOLUTION

__global__ void __launch_bounds__(BLOCK, 2048 / BLOCK)
    max_all(const float* __restrict__ x, float* partial, float* out, int n) {
    // SOLUTION: leave the largest of this block's share in partial, count the block; the last one looks at all of partial
    float mine = -INFINITY;  // the identity: larger(-INFINITY, v) is v, for every v
    for (int chunk = blockIdx.x; chunk < n / CHUNK; chunk += gridDim.x) {
        const float4* fours = reinterpret_cast<const float4*>(x + chunk * CHUNK);
        float4 v[UNDER_WAY];
#pragma unroll
        for (int i = 0; i < UNDER_WAY; ++i) {
            v[i] = __ldcs(&fours[i * BLOCK + threadIdx.x]);  // "streaming": no cache need keep what is read once
        }
#pragma unroll
        for (int i = 0; i < UNDER_WAY; ++i) {
            mine = larger(mine, larger(larger(v[i].x, v[i].y), larger(v[i].z, v[i].w)));
        }
    }
    const float* rest = x + n / CHUNK * CHUNK;  // less than a chunk is left
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n % CHUNK; i += gridDim.x * BLOCK) {
        mine = larger(mine, rest[i]);
    }
    mine = block_max(mine);

    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine;
        __threadfence();  // whoever sees the count below sees the partial result as well
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;  // and the last one sets it back to 0
    }
    __syncthreads();
    if (!is_last) {
        return;
    }
    __threadfence();  // nothing of partial is read before the count was
    mine = -INFINITY;
    for (int block = threadIdx.x; block < gridDim.x; block += BLOCK) {
        mine = larger(mine, partial[block]);
    }
    mine = block_max(mine);
    if (threadIdx.x == 0) {
        out[0] = mine;
    }
    // END SOLUTION
}
