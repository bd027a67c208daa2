// Sum of squares: out[0] = the sum of x[i]^2 over the whole vector; partial has a place for each block.
//
// Idea   one launch: every block leaves its partial sum and counts itself. The one that counts last knows that all
//        partial sums are there, and adds them up. Which block that is differs from run to run; what it adds, and in
//        which order, does not, so the bits are the same every time.
// Bytes  4 n (each element once; a thousand partial sums do not count)      Flops  2 n
// Bound  memory: reading at full bandwidth is the ceiling, so loads are 16 bytes wide and several are under way.

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part
constexpr int BLOCK = 512;            // threads

__device__ unsigned finished;  // blocks of this launch that have left their partial sum: 0 before it, and 0 after it

// TODO: write a __device__ function that returns to thread 0 the sum of one float from each thread of the block

__global__ void __launch_bounds__(BLOCK, 2048 / BLOCK)
    sum_of_squares(const float* __restrict__ x, float* partial, float* out, int n) {
    // TODO: leave this block's sum in partial, count the block, and if it is the last one add up partial into out
}
