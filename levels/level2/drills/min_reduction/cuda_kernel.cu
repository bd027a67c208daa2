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

// TODO: write __device__ functions: the smaller of two floats (NaN wins), that of a warp, and an atomic for floats

__global__ void __launch_bounds__(BLOCK, 2048 / BLOCK)
    min_all(const float* __restrict__ x, float* __restrict__ out, int n) {
    // TODO: take the smallest of this thread's share of x in a register, then of the block; one atomic for each block
}
