constexpr int N = 256;
constexpr int K = 256;
constexpr int TILE = 128;   // rows and columns of out for a block of 32 x 32 threads
constexpr int DEPTH = 16;   // how far the tiles of a and b reach along k
constexpr int EACH = 4;     // a thread makes 4 x 4 elements, 32 rows and 32 columns apart

__global__ void __launch_bounds__(1024)
    matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int m) {
    __shared__ float a_tile[TILE][DEPTH];
    __shared__ float b_tile[DEPTH][TILE];
    const int left = blockIdx.x * TILE;
    const int top = blockIdx.y * TILE;
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int thread = y * 32 + x;
    float sums[EACH][EACH] = {};
    for (int start = 0; start < K; start += DEPTH) {
#pragma unroll
        for (int i = thread; i < TILE * DEPTH; i += 1024) {
            const int row = top + i / DEPTH;
            a_tile[i / DEPTH][i % DEPTH] = row < m ? a[row * K + start + i % DEPTH] : 0.0f;
            b_tile[i / TILE][i % TILE] = b[(start + i / TILE) * N + left + i % TILE];
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < DEPTH; ++step) {
            float u[EACH];
            float v[EACH];
#pragma unroll
            for (int i = 0; i < EACH; ++i) {
                u[i] = a_tile[y + 32 * i][step];
                v[i] = b_tile[step][x + 32 * i];
            }
#pragma unroll
            for (int i = 0; i < EACH; ++i) {
#pragma unroll
                for (int j = 0; j < EACH; ++j) {
                    sums[i][j] += u[i] * v[j];
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        const int row = top + y + 32 * i;
#pragma unroll
        for (int j = 0; j < EACH; ++j) {
            if (row < m) {
                out[row * N + left + x + 32 * j] = sums[i][j];
            }
        }
    }
}
