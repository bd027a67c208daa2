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

// SOLUTION: write a __device__ function that returns to thread 0 the sum of one float from each thread of the block
constexpr int UNDER_WAY = 4;                  // loads, of 16 bytes each, that a thread starts before it uses the first
constexpr int CHUNK = UNDER_WAY * 4 * BLOCK;  // elements that a block takes at a time: neighbours, 32 KB

__device__ float warp_sum(float v) {
    for (int distance = 16; distance > 0; distance /= 2) {
        v += __shfl_down_sync(ALL, v, distance);
    }
    return v;
}

__device__ float block_sum(float v) {
    __shared__ float sums[BLOCK / 32];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    v = warp_sum(v);
    if (lane == 0) {
        sums[warp] = v;
    }
    __syncthreads();
    return warp == 0 ? warp_sum(lane < BLOCK / 32 ? sums[lane] : 0.0f) : 0.0f;
}
// END SOLUTION

__global__ void __launch_bounds__(BLOCK, 2048 / BLOCK)
    sum_of_squares(const float* __restrict__ x, float* partial, float* out, int n) {
    // SOLUTION: leave this block's sum in partial, count the block, and if it is the last one add up partial into out
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int chunk = blockIdx.x; chunk < n / CHUNK; chunk += gridDim.x) {
        const float4* fours = reinterpret_cast<const float4*>(x + chunk * CHUNK);
        float4 v[UNDER_WAY];
#pragma unroll
        for (int i = 0; i < UNDER_WAY; ++i) {
            v[i] = __ldcs(&fours[i * BLOCK + threadIdx.x]);  // "streaming": no cache need keep what is read once
        }
#pragma unroll
        for (int i = 0; i < UNDER_WAY; ++i) {
            four.x += v[i].x * v[i].x;
            four.y += v[i].y * v[i].y;
            four.z += v[i].z * v[i].z;
            four.w += v[i].w * v[i].w;
        }
    }
    float mine = (four.x + four.y) + (four.z + four.w);
    const float* rest = x + n / CHUNK * CHUNK;  // less than a chunk is left
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n % CHUNK; i += gridDim.x * BLOCK) {
        mine += rest[i] * rest[i];
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
    for (int block = threadIdx.x; block < gridDim.x; block += BLOCK) {
        mine += partial[block];
    }
    mine = block_sum(mine);
    if (threadIdx.x == 0) {
        out[0] = mine;
    }
    // END SOLUTION
}
