// Matrix product: out = a b for row-major a (m x k), b (k x n), out (m x n).
//
// Idea   a block owns a tile of out, 32 x 32, and walks along k in steps of 32: it loads a tile of a and one of b into
//        shared memory, each element once, and multiplies the two there, where each element is used 32 times. A thread
//        makes four elements of a column, so that what it reads of b serves four sums.
// Bytes  4 (m k + k n + m n) at least once; each element of a is loaded n / 32 times, each of b m / 32 times
// Flops  2 m n k
// Bound  compute by its bytes and flops. In fact shared memory: five reads for four multiply-adds.

constexpr int TILE = 32;           // rows and columns of each tile
constexpr int ROWS = 4;            // elements of out for each thread, all in one column
constexpr int STEP = TILE / ROWS;  // rows of threads, and the distance of a thread's elements

__global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int m, int n,
                       int k) {
    // SOLUTION: for each tile along k: load one of a and one of b into shared memory, wait, multiply, wait; then store
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    const int x = threadIdx.x;
    const int top = blockIdx.y * TILE;
    const int col = blockIdx.x * TILE + x;

    float sums[ROWS] = {};
    for (int start = 0; start < k; start += TILE) {
        // Past an edge both tiles hold 0, so the last tile along k needs no loop of its own: 0 * 0 changes no sum.
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            const int y = threadIdx.y + r * STEP;
            const int row = top + y;
            const int from = start + y;
            a_tile[y][x] = row < m && start + x < k ? a[static_cast<long long>(row) * k + start + x] : 0.0f;
            b_tile[y][x] = from < k && col < n ? b[static_cast<long long>(from) * n + col] : 0.0f;
        }
        __syncthreads();  // both tiles are complete before anybody reads them

#pragma unroll
        for (int i = 0; i < TILE; ++i) {
            const float right = b_tile[i][x];  // 32 lanes, 32 banks
#pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                sums[r] += a_tile[threadIdx.y + r * STEP][i] * right;  // the same word for the whole warp: a broadcast
            }
        }
        __syncthreads();  // everybody has read them before the next ones come in their place
    }

#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const int row = top + threadIdx.y + r * STEP;
        if (row < m && col < n) {
            out[static_cast<long long>(row) * n + col] = sums[r];
        }
    }
    // END SOLUTION
}
