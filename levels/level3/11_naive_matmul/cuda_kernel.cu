// Matrix product: out = a b for row-major a (m x k), b (k x n), out (m x n).
//
// Idea   a thread for each element of out: a row of a times a column of b, k products summed in a register. The lanes
//        of a warp own neighbouring columns, so loads of b and stores are coalesced, and a is one broadcast.
// Bytes  4 (m k + k n + m n) at least once; but each element of a is asked for n times, each of b m times
// Flops  2 m n k
// Bound  compute by its bytes and flops. In fact the caches: two loads for each multiply-add keep the load units busy,
//        and the arithmetic units wait. Tiled matmul is the cure.

__global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int m, int n,
                       int k) {
    // TODO: find this thread's row and column of out, sum up the k products in a register, store the sum
}
