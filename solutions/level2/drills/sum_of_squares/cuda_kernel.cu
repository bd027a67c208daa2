// Sum of squares: out[0] = the sum of x[i]^2 over the whole vector; partial has a place for each block.
//
// Idea   one launch: every block leaves its partial sum and counts itself. The one that counts last knows that all
//        partial sums are there, and adds them up. Which block that is differs from run to run; what it adds, and in
//        which order, does not, so the bits are the same every time.
// Bytes  4 n (each element once; a thousand partial sums do not count)      Flops  2 n
// Bound  memory: reading at full bandwidth is the ceiling, so loads are 16 bytes wide and several are under way.

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part

__device__ unsigned finished;  // blocks of this launch that have left their partial sum: 0 before it, and 0 after it

// SOLUTION: write a __device__ function that returns to thread 0 the sum of one float from each thread of the block
__device__ float warp_sum(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v += __shfl_down_sync(ALL, v, distance);
    }
    return v;
}

__device__ float block_sum(float v) {
    __shared__ float sums[32];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    v = warp_sum(v);
    if (lane == 0) {
        sums[warp] = v;
    }
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0.0f) : 0.0f;
}
// END SOLUTION

__global__ void __launch_bounds__(256, 8)
    sum_of_squares(const float* __restrict__ x, float* partial, float* out, int n) {
    // SOLUTION: leave this block's sum in partial, count the block, and if it is the last one add up partial into out
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    const int fours = n / 4;
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 4
    for (int i = first; i < fours; i += stride) {
        const float4 v = reinterpret_cast<const float4*>(x)[i];
        four.x += v.x * v.x;
        four.y += v.y * v.y;
        four.z += v.z * v.z;
        four.w += v.w * v.w;
    }
    float mine = (four.x + four.y) + (four.z + four.w);
    if (first < n % 4) {  // the last one to three elements
        const float v = x[4 * fours + first];
        mine += v * v;
    }
    mine = block_sum(mine);

    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine;
        __threadfence();  // whoever sees the count below sees the partial sum as well
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;  // and the last one sets it back to 0
    }
    __syncthreads();
    if (!is_last) {
        return;
    }
    __threadfence();  // nothing of partial is read before the count was
    mine = 0.0f;
    for (int block = threadIdx.x; block < gridDim.x; block += blockDim.x) {
        mine += partial[block];
    }
    mine = block_sum(mine);
    if (threadIdx.x == 0) {
        out[0] = mine;
    }
    // END SOLUTION
}
