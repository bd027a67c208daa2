// Sum: out[b] = the sum of all the elements that block b reads. A grid of one block makes the sum of everything.
//
// Idea   a tree whose lower levels are the cheapest: each thread adds up its own elements in registers, 32 lanes meet in
//        shuffles, the warps of a block in shared memory. Blocks cannot wait for each other within a launch, so each
//        leaves a partial sum, and the same kernel, launched again on the partial sums, ends the tree.
// Bytes  4 n (each element once; a thousand partial sums do not count)      Flops  n
// Bound  memory: reading at full bandwidth is the ceiling, so loads are 16 bytes wide and several are under way.

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part

// SOLUTION: write a __device__ function that returns to lane 0 the sum of one float from each lane, by shuffles
__device__ float warp_sum(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v += __shfl_down_sync(ALL, v, distance);  // the lane `distance` above me; after five steps lane 0 has all 32
    }
    return v;
}
// END SOLUTION

__global__ void __launch_bounds__(256, 8) block_sums(const float* __restrict__ x, float* __restrict__ out, int n) {
    // SOLUTION: add up this thread's share of x in a register, then the block's sums in a tree: out[blockIdx.x]
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    const int fours = n / 4;
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);  // four chains: an addition need not wait for the one before
#pragma unroll 4
    for (int i = first; i < fours; i += stride) {
        const float4 v = reinterpret_cast<const float4*>(x)[i];
        four.x += v.x;
        four.y += v.y;
        four.z += v.z;
        four.w += v.w;
    }
    float mine = (four.x + four.y) + (four.z + four.w);
    if (first < n % 4) {  // the last one to three elements
        mine += x[4 * fours + first];
    }

    __shared__ float sums[32];  // one for each warp; a block has at most 32
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    mine = warp_sum(mine);
    if (lane == 0) {
        sums[warp] = mine;
    }
    __syncthreads();  // all sums are there before the first warp reads them
    if (warp == 0) {
        mine = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0.0f);
        if (lane == 0) {
            out[blockIdx.x] = mine;
        }
    }
    // END SOLUTION
}
