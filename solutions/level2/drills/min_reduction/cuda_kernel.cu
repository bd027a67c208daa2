// Min: out[0] = the smallest of all the elements; out[0] must be +infinity before the launch.
//
// Idea   one launch: each block's smallest goes straight to the result by an atomic. There is none for floats, but
//        floats of one sign are ordered as their bits are, so an integer atomic does it. Minima come out the same in
//        any order, bit by bit; of sums that would not be true.
// Bytes  4 n (each element once)      Flops  n (one comparison each)
// Bound  memory: reading at full bandwidth is the ceiling. One atomic for each block, a thousand in all, is no load.

#include <math.h>  // INFINITY

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part
constexpr int BLOCK = 512;            // threads

// SOLUTION: write __device__ functions: the smaller of two floats (NaN wins), that of a warp, and an atomic for floats
constexpr int UNDER_WAY = 4;                  // loads, of 16 bytes each, that a thread starts before it uses the first
constexpr int CHUNK = UNDER_WAY * 4 * BLOCK;  // elements that a block takes at a time: neighbours, 32 KB

__device__ float smaller(float a, float b) {
    return a < b || a != a ? a : b;
}

__device__ float warp_min(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v = smaller(v, __shfl_down_sync(ALL, v, distance));
    }
    return v;
}

// *address = smaller(*address, v). As signed integers, floats from +0 up are ordered and lie above all with the sign
// bit; as unsigned ones, floats from -0 down are ordered the other way round and lie above all without it. NaN, as
// 0xffffffff, is the smallest of all in either view.
__device__ void atomic_min(float* address, float v) {
    const unsigned bits = v != v ? 0xffffffff : __float_as_uint(v);
    if (bits < 0x80000000) {
        atomicMin(reinterpret_cast<int*>(address), static_cast<int>(bits));
    } else {
        atomicMax(reinterpret_cast<unsigned*>(address), bits);
    }
}
// END SOLUTION

__global__ void __launch_bounds__(BLOCK, 2048 / BLOCK)
    min_all(const float* __restrict__ x, float* __restrict__ out, int n) {
    // SOLUTION: take the smallest of this thread's share of x in a register, then of the block; one atomic for each block
    float mine = INFINITY;  // the identity
    for (int chunk = blockIdx.x; chunk < n / CHUNK; chunk += gridDim.x) {
        const float4* fours = reinterpret_cast<const float4*>(x + chunk * CHUNK);
        float4 v[UNDER_WAY];
#pragma unroll
        for (int i = 0; i < UNDER_WAY; ++i) {
            v[i] = __ldcs(&fours[i * BLOCK + threadIdx.x]);  // "streaming": no cache need keep what is read once
        }
#pragma unroll
        for (int i = 0; i < UNDER_WAY; ++i) {
            mine = smaller(mine, smaller(smaller(v[i].x, v[i].y), smaller(v[i].z, v[i].w)));
        }
    }
    const float* rest = x + n / CHUNK * CHUNK;  // less than a chunk is left
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n % CHUNK; i += gridDim.x * BLOCK) {
        mine = smaller(mine, rest[i]);
    }

    __shared__ float smallest[BLOCK / 32];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    mine = warp_min(mine);
    if (lane == 0) {
        smallest[warp] = mine;
    }
    __syncthreads();
    if (warp == 0) {
        mine = warp_min(lane < BLOCK / 32 ? smallest[lane] : INFINITY);
        if (lane == 0) {
            atomic_min(out, mine);
        }
    }
    // END SOLUTION
}
