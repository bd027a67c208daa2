// Max: out[b] = the largest of all the elements that block b reads. A grid of one block makes the largest of everything.
//
// Idea   the tree of the sum with another operation. Two things change with it: the identity, which stands where there
//        is no element, is -infinity; and NaN, which answers "no" to every comparison, must win all the same.
// Bytes  4 n (each element once; a thousand partial results do not count)      Flops  n (one comparison each)
// Bound  memory: reading at full bandwidth is the ceiling, so loads are 16 bytes wide and several are under way.

#include <math.h>  // INFINITY

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part

// SOLUTION: write __device__ functions: the larger of two floats, NaN if one is NaN; and the largest of a warp's 32
__device__ float larger(float a, float b) {
    return a > b || a != a ? a : b;  // only NaN differs from itself. If b is NaN, a > b is false and b comes back
}

__device__ float warp_max(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v = larger(v, __shfl_down_sync(ALL, v, distance));
    }
    return v;  // lane 0 has looked at all 32
}
// END SOLUTION

__global__ void __launch_bounds__(256, 8) block_max(const float* __restrict__ x, float* __restrict__ out, int n) {
    // SOLUTION: take the largest of this thread's share of x in a register, then of the block, to out[blockIdx.x]
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    const int fours = n / 4;
    float mine = -INFINITY;  // the identity: larger(-INFINITY, v) is v, for every v
#pragma unroll 4
    for (int i = first; i < fours; i += stride) {
        const float4 v = reinterpret_cast<const float4*>(x)[i];
        mine = larger(mine, larger(larger(v.x, v.y), larger(v.z, v.w)));
    }
    if (first < n % 4) {  // the last one to three elements
        mine = larger(mine, x[4 * fours + first]);
    }

    __shared__ float largest[32];  // one for each warp; a block has at most 32
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    mine = warp_max(mine);
    if (lane == 0) {
        largest[warp] = mine;
    }
    __syncthreads();  // all of them are there before the first warp reads them
    if (warp == 0) {
        mine = warp_max(lane < blockDim.x / 32 ? largest[lane] : -INFINITY);
        if (lane == 0) {
            out[blockIdx.x] = mine;
        }
    }
    // END SOLUTION
}
