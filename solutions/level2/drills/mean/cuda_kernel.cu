// Mean of every row of a row-major matrix.
//
// Idea   a warp owns a row: its lanes add up their share in registers and meet in five shuffles. Nothing is shared
//        between warps, so there is no shared memory, no barrier, and no warp that waits for another.
// Bytes  4 rows cols (each element once)      Flops  rows cols
// Bound  memory: reading at full bandwidth is the ceiling; there must be enough rows to fill the card with warps.

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part

__global__ void mean(const float* __restrict__ x, float* __restrict__ out, int rows, int cols) {
    // SOLUTION: find this warp's row, add it up lane by lane, combine the lanes, and let one of them store the mean
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;  // the same for all 32 lanes: none is missing from the shuffles
    }
    x += static_cast<long long>(row) * cols;
    const int fours = cols % 4 == 0 ? cols / 4 : 0;  // else most rows do not begin on 16 bytes
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 4
    for (int i = lane; i < fours; i += 32) {
        const float4 v = reinterpret_cast<const float4*>(x)[i];
        four.x += v.x;
        four.y += v.y;
        four.z += v.z;
        four.w += v.w;
    }
    float total = (four.x + four.y) + (four.z + four.w);
#pragma unroll 4
    for (int col = 4 * fours + lane; col < cols; col += 32) {
        total += x[col];
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        total += __shfl_down_sync(ALL, total, distance);
    }
    if (lane == 0) {
        out[row] = total / cols;
    }
    // END SOLUTION
}
