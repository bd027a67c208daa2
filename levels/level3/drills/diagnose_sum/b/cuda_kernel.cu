__device__ float block_sum(float mine) {
    __shared__ float of_warp[32];
    for (int distance = 16; distance > 0; distance /= 2) {
        mine += __shfl_down_sync(0xffffffff, mine, distance);
    }
    if (threadIdx.x % 32 == 0) {
        of_warp[threadIdx.x / 32] = mine;
    }
    __syncthreads();
    mine = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2) {
        mine += __shfl_down_sync(0xffffffff, mine, distance);
    }
    return mine;
}

__global__ void sum(const float* __restrict__ x, float* __restrict__ out, int n) {
    float mine = 0.0f;
    for (int i = threadIdx.x; i < n / 4; i += blockDim.x) {
        const float4 v = reinterpret_cast<const float4*>(x + static_cast<long long>(blockIdx.x) * n)[i];
        mine += (v.x + v.y) + (v.z + v.w);
    }
    mine = block_sum(mine);
    if (threadIdx.x == 0) {
        out[blockIdx.x] = mine;
    }
}

__global__ void finish(const float* __restrict__ partial, float* __restrict__ out, int n) {
    float mine = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        mine += partial[i];
    }
    mine = block_sum(mine);
    if (threadIdx.x == 0) {
        out[0] = mine;
    }
}
