__global__ void sum(const float* __restrict__ x, float* __restrict__ out, int n, int row) {
    __shared__ float of_warp[32];
    float mine = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        mine += x[static_cast<long long>(row) * n + i];
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        mine += __shfl_down_sync(0xffffffff, mine, distance);
    }
    if (threadIdx.x % 32 == 0) {
        of_warp[threadIdx.x / 32] = mine;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < blockDim.x / 32; ++warp) {
            mine += of_warp[warp];
        }
        out[0] = row == 0 ? mine : out[0] + mine;
    }
}
