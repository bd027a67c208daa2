// Matrix product: out = a b for row-major a (m x k), b (k x n), out (m x n), in float32 throughout.
//
// Idea   three tiles, one inside the other: a block makes 128 x 256 elements out of shared memory, a warp 64 x 64 of
//        them, a thread 16 x 8 in registers, where 24 words from shared memory feed 128 multiply-adds. Nobody waits:
//        while one tile is multiplied, two more are on their way from global memory (cp.async), and while the words of
//        one k are multiplied, those of the next are on their way from shared memory.
// Bytes  4 (m k + k n + m n) at least once; each element of a is loaded n / 256 times, each of b m / 128 times
// Flops  2 m n k
// Bound  compute: the float32 units. Loads, addresses and barriers are 10 of 100 instructions.

constexpr int BLOCK_M = 128;  // the tile of out that a block makes
constexpr int BLOCK_N = 256;
constexpr int BLOCK_K = 16;   // how far it goes along k at a time
constexpr int THREADS = 256;

// TODO: write what copies tiles to shared memory, what fetches words from there, and what multiplies them

// CHECKED: whether a tile may stick out of the matrices; if not, no index has to be held against m, n and k.
template <bool CHECKED>
__global__ void __launch_bounds__(THREADS)
    matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int m, int n, int k) {
    // TODO: keep STAGES - 1 tiles on their way while one is multiplied; then store this thread's part of out
}
