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

// TODO: write __device__ functions: the larger of two floats, NaN if one is NaN; and the largest of a block's

__global__ void __launch_bounds__(BLOCK, 2048 / BLOCK)
    max_all(const float* __restrict__ x, float* partial, float* out, int n) {
    // TODO: leave the largest of this block's share in partial, count the block; the last one looks at all of partial
}
