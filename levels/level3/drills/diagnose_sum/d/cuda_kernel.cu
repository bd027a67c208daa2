constexpr int CHUNK = 4096;

// Adds with two floats, so that hardly a bit is lost, and checks each element by going through all of its bits.
__device__ float careful(float v) {
    float whole = 0.0f;
    for (int bit = 0; bit < 32; ++bit) {
        whole = fmaf(static_cast<float>(__float_as_uint(v) >> bit & 1u), 1e-30f, whole);
    }
    return whole > 1.0f ? 0.0f : v;
}

__global__ void sum(const float* __restrict__ x, float* __restrict__ out) {
    __shared__ float of_warp[32];
    const float* mine_of = x + static_cast<long long>(blockIdx.x) * CHUNK;
    float total = 0.0f;
    float lost = 0.0f;
    for (int i = threadIdx.x; i < CHUNK; i += blockDim.x) {
        const float v = careful(mine_of[i]) - lost;
        const float next = total + v;
        lost = (next - total) - v;
        total = next;
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        total += __shfl_down_sync(0xffffffff, total, distance);
    }
    if (threadIdx.x % 32 == 0) {
        of_warp[threadIdx.x / 32] = total;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < blockDim.x / 32; ++warp) {
            total += of_warp[warp];
        }
        atomicAdd(out, total);
    }
}

__global__ void zero(float* out) {
    out[0] = 0.0f;
}
