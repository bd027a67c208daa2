// Max: out[b] = the largest of all the elements that block b reads. A grid of one block makes the largest of everything.
//
// Idea   the tree of the sum with another operation. Two things change with it: the identity, which stands where there
//        is no element, is -infinity; and NaN, which answers "no" to every comparison, must win all the same.
// Bytes  4 n (each element once; a thousand partial results do not count)      Flops  n (one comparison each)
// Bound  memory: reading at full bandwidth is the ceiling, so loads are 16 bytes wide and several are under way.

#include <math.h>  // INFINITY

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part

// TODO: write __device__ functions: the larger of two floats, NaN if one is NaN; and the largest of a warp's 32

__global__ void __launch_bounds__(256, 8) block_max(const float* __restrict__ x, float* __restrict__ out, int n) {
    // TODO: take the largest of this thread's share of x in a register, then of the block, to out[blockIdx.x]
}
