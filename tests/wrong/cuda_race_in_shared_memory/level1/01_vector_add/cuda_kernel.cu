// Reads what another warp writes, without a barrier between.
__global__ void add(const float* a, const float* b, float* out, int n) {
    __shared__ float sum[256];
    int i = blockIdx.x * 256 + 255 - threadIdx.x;
    sum[255 - threadIdx.x] = i < n ? a[i] + b[i] : 0;
    i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) out[i] = sum[threadIdx.x];
}
