constexpr int N = 256;
constexpr int K = 256;
constexpr int TILE = 64;          // rows and columns of out for a block
constexpr int DEPTH = 8;          // columns of a and rows of b for a block
constexpr int PARTS = K / DEPTH;  // blocks that share a tile of out

// parts[p] is the product of the p-th DEPTH columns of a with the rows of b that belong to them. 256 threads, each with
// 4 x 4 elements.
__global__ void multiply(const float* __restrict__ a, const float* __restrict__ b, float4* __restrict__ parts,
                         int m) {
    __shared__ float4 a_tile[DEPTH][TILE / 4 + 1];  // turned: a column of a lies in a row, padded for the banks
    __shared__ float4 b_tile[DEPTH][TILE / 4];
    const int left = blockIdx.x * TILE;
    const int top = blockIdx.y * TILE;
    const int first = blockIdx.z * DEPTH;
    if (threadIdx.x < DEPTH * TILE / 4) {
        const int row = threadIdx.x / (DEPTH / 4);
        const int from = threadIdx.x % (DEPTH / 4) * 4;
        float4 v = {};
        if (top + row < m) {
            v = *reinterpret_cast<const float4*>(a + (top + row) * K + first + from);
        }
        reinterpret_cast<float*>(a_tile[from])[row] = v.x;
        reinterpret_cast<float*>(a_tile[from + 1])[row] = v.y;
        reinterpret_cast<float*>(a_tile[from + 2])[row] = v.z;
        reinterpret_cast<float*>(a_tile[from + 3])[row] = v.w;

        const int step = threadIdx.x / (TILE / 4);
        const int col = threadIdx.x % (TILE / 4);
        b_tile[step][col] = reinterpret_cast<const float4*>(b + (first + step) * N + left)[col];
    }
    __syncthreads();

    const int x = threadIdx.x % 16;
    const int y = threadIdx.x / 16;
    float sums[4][4] = {};
#pragma unroll
    for (int step = 0; step < DEPTH; ++step) {
        const float4 u = a_tile[step][y];
        const float4 v = b_tile[step][x];
        const float rows[4] = {u.x, u.y, u.z, u.w};
        const float cols[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int i = 0; i < 4; ++i) {
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                sums[i][j] += rows[i] * cols[j];
            }
        }
    }
    float4* to = parts + ((static_cast<long long>(blockIdx.z) * m + top + 4 * y) * N + left) / 4 + x;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if (top + 4 * y + i < m) {
            to[i * N / 4] = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
        }
    }
}

__global__ void add_up(const float4* __restrict__ parts, float4* __restrict__ out, long long count) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) {
        float4 sum = {};
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
            const float4 v = parts[p * count + i];
            sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
        }
        out[i] = sum;
    }
}
