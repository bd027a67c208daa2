// Matrix times vector: out = a x for row-major a (m x n); x has n elements, out has m.
//
// Idea   a warp owns a row: its lanes multiply and add along the row in registers and meet in five shuffles. An element
//        of a is needed once, by one lane, so there is nothing to tile; x is small and comes out of the L1 cache.
// Bytes  4 (m n + n + m) (a is read once; for x, DRAM is asked once)      Flops  2 m n
// Bound  memory: half a flop for each byte. Reading at full bandwidth is the ceiling, so loads are 16 bytes wide and
//        several are under way.

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part

__global__ void gemv(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ out, int m, int n) {
    // SOLUTION: find this warp's row, multiply and add along it lane by lane, combine the lanes, let one of them store
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= m) {
        return;  // the same for all 32 lanes: none is missing from the shuffles
    }
    a += static_cast<long long>(row) * n;
    const int fours = n % 4 == 0 ? n / 4 : 0;  // else most rows do not begin on 16 bytes
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);  // four chains: an addition need not wait for the one before
#pragma unroll 4
    for (int i = lane; i < fours; i += 32) {
        const float4 v = reinterpret_cast<const float4*>(a)[i];
        const float4 w = reinterpret_cast<const float4*>(x)[i];
        four.x += v.x * w.x;
        four.y += v.y * w.y;
        four.z += v.z * w.z;
        four.w += v.w * w.w;
    }
    float sum = (four.x + four.y) + (four.z + four.w);
#pragma unroll 4
    for (int col = 4 * fours + lane; col < n; col += 32) {
        sum += a[col] * x[col];
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(ALL, sum, distance);
    }
    if (lane == 0) {
        out[row] = sum;
    }
    // END SOLUTION
}
