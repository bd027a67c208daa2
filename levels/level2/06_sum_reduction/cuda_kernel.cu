// Sum: out[b] = the sum of all the elements that block b reads. A grid of one block makes the sum of everything.
//
// Idea   a tree whose lower levels are the cheapest: each thread adds up its own elements in registers, 32 lanes meet in
//        shuffles, the warps of a block in shared memory. Blocks cannot wait for each other within a launch, so each
//        leaves a partial sum, and the same kernel, launched again on the partial sums, ends the tree.
// Bytes  4 n (each element once; a thousand partial sums do not count)      Flops  n
// Bound  memory: reading at full bandwidth is the ceiling, so loads are 16 bytes wide and several are under way.

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part
constexpr int BLOCK = 512;            // threads

// TODO: write a __device__ function that returns to lane 0 the sum of one float from each lane, by shuffles

__global__ void __launch_bounds__(BLOCK, 2048 / BLOCK)
    block_sums(const float* __restrict__ x, float* __restrict__ out, int n) {
    // TODO: add up this thread's share of x in a register, then the block's sums in a tree: out[blockIdx.x]
}
