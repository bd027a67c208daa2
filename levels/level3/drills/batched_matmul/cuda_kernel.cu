// Batched matrix product: out[i] = a[i] b[i] for every i < batch; a[i] is m x k, b[i] k x n, out[i] m x n, row-major.
//
// Idea   the tiled product with one axis more: x and y of the grid find the tile of out, z the matrix, which begins
//        m k, k n and m n elements after the one before. Alone, each matrix has too few tiles to fill the card.
// Bytes  4 batch (m k + k n + m n) at least once; each element of a is loaded n / 32 times, each of b m / 32 times,
//        mostly from the L2 cache, for the tiles of one matrix run at about the same time
// Flops  2 batch m n k
// Bound  compute from some 72 x 72 x 72 on, below that memory. In fact shared memory: five reads for four products.

constexpr int TILE = 32;           // rows and columns of each tile
constexpr int ROWS = 4;            // elements of out for each thread, all in one column
constexpr int STEP = TILE / ROWS;  // rows of threads, and the distance of a thread's elements

__global__ void batched_matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int m,
                               int n, int k) {
    // TODO: go to matrix blockIdx.z of each tensor; from there on it is the tiled product
}
