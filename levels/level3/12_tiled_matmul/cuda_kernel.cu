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
    // TODO: for each tile along k: load one of a and one of b into shared memory, wait, multiply, wait; then store
}
