// Sum: out[b] = the sum of all the elements that block b reads. A grid of one block makes the sum of everything.
//
// Idea   a tree whose lower levels are the cheapest: each thread adds up its own elements in registers, 32 lanes meet in
//        shuffles, the warps of a block in shared memory. Blocks cannot wait for each other within a launch, so each
//        leaves a partial sum, and the same kernel, launched again on the partial sums, ends the tree.
// Bytes  4 n (each element once; a thousand partial sums do not count)      Flops  n
// Bound  memory: reading at full bandwidth is the ceiling, so loads are 16 bytes wide and several are under way.

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part
constexpr int BLOCK = 512;            // threads

// SOLUTION: write a __device__ function that returns to lane 0 the sum of one float from each lane, by shuffles
constexpr int UNDER_WAY = 4;                  // loads, of 16 bytes each, that a thread starts before it uses the first
constexpr int CHUNK = UNDER_WAY * 4 * BLOCK;  // elements that a block takes at a time: neighbours, 32 KB

__device__ float warp_sum(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v += __shfl_down_sync(ALL, v, distance);  // the lane `distance` above me; after five steps lane 0 has all 32
    }
    return v;
}
// END SOLUTION

__global__ void __launch_bounds__(BLOCK, 2048 / BLOCK)
    block_sums(const float* __restrict__ x, float* __restrict__ out, int n) {
    // SOLUTION: add up this thread's share of x in a register, then the block's sums in a tree: out[blockIdx.x]
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);  // four chains: an addition need not wait for the one before
    for (int chunk = blockIdx.x; chunk < n / CHUNK; chunk += gridDim.x) {
        const float4* fours = reinterpret_cast<const float4*>(x + chunk * CHUNK);
        float4 v[UNDER_WAY];
#pragma unroll
        for (int i = 0; i < UNDER_WAY; ++i) {
            v[i] = __ldcs(&fours[i * BLOCK + threadIdx.x]);  // "streaming": no cache need keep what is read once
        }
#pragma unroll
        for (int i = 0; i < UNDER_WAY; ++i) {
            four.x += v[i].x;
            four.y += v[i].y;
            four.z += v[i].z;
            four.w += v[i].w;
        }
    }
    float mine = (four.x + four.y) + (four.z + four.w);
    const float* rest = x + n / CHUNK * CHUNK;  // less than a chunk is left
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n % CHUNK; i += gridDim.x * BLOCK) {
        mine += rest[i];
    }

    __shared__ float sums[BLOCK / 32];  // one for each warp
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    mine = warp_sum(mine);
    if (lane == 0) {
        sums[warp] = mine;
    }
    __syncthreads();  // all sums are there before the first warp reads them
    if (warp == 0) {
        mine = warp_sum(lane < BLOCK / 32 ? sums[lane] : 0.0f);
        if (lane == 0) {
            out[blockIdx.x] = mine;
        }
    }
    // END SOLUTION
}
