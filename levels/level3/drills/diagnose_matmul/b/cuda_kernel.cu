constexpr int N = 256;
constexpr int K = 256;
constexpr int TILE = 16;

// The rows of out from `top` on, as far as the grid reaches.
__global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int m,
                       int top) {
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row = top + blockIdx.y * TILE + y;
    const int col = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int start = 0; start < K; start += TILE) {
        a_tile[y][x] = row < m ? a[row * K + start + x] : 0.0f;
        b_tile[y][x] = b[(start + y) * N + col];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; ++i) {
            sum += a_tile[y][i] * b_tile[i][x];
        }
        __syncthreads();
    }
    if (row < m) {
        out[row * N + col] = sum;
    }
}
