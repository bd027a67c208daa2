constexpr int COLS = 256;
constexpr int WARPS = 16;

__global__ void reset(int* next) {
    *next = 0;
}

// As many blocks as the GPU holds at once. Each asks for the next sixteen rows until there are none, a row for each warp.
__global__ void softmax(const float* __restrict__ x, float* __restrict__ out, int* __restrict__ next, int rows) {
    __shared__ int ticket;
    const int lane = threadIdx.x % 32;
    while (true) {
        if (threadIdx.x == 0) {
            ticket = atomicAdd(next, 1);
        }
        __syncthreads();
        const int first = ticket * WARPS;
        __syncthreads();  // everybody has read the ticket before the next one comes
        if (first >= rows) {
            return;
        }
        const int row = first + threadIdx.x / 32;
        if (row < rows) {
            const long long start = static_cast<long long>(row) * COLS;
            const float4* from = reinterpret_cast<const float4*>(x + start);
            float4* to = reinterpret_cast<float4*>(out + start);
            float4 p = from[lane];
            float4 q = from[lane + 32];
            float high = fmaxf(fmaxf(fmaxf(p.x, p.y), fmaxf(p.z, p.w)), fmaxf(fmaxf(q.x, q.y), fmaxf(q.z, q.w)));
            for (int distance = 16; distance > 0; distance /= 2) {
                high = fmaxf(high, __shfl_xor_sync(0xffffffff, high, distance));
            }
            p = make_float4(__expf(p.x - high), __expf(p.y - high), __expf(p.z - high), __expf(p.w - high));
            q = make_float4(__expf(q.x - high), __expf(q.y - high), __expf(q.z - high), __expf(q.w - high));
            float sum = ((p.x + p.y) + (p.z + p.w)) + ((q.x + q.y) + (q.z + q.w));
            for (int distance = 16; distance > 0; distance /= 2) {
                sum += __shfl_xor_sync(0xffffffff, sum, distance);
            }
            const float scale = 1.0f / sum;
            to[lane] = make_float4(p.x * scale, p.y * scale, p.z * scale, p.w * scale);
            to[lane + 32] = make_float4(q.x * scale, q.y * scale, q.z * scale, q.w * scale);
        }
    }
}
