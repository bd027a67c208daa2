// Transpose: out[col][row] = x[row][col], both row-major.
//
// Idea   a block moves a tile of 32 x 32 through shared memory: its warps read along the rows of x and write along
//        the rows of out, both coalesced. The turn happens between, where a column costs no more than a row if the
//        rows are padded.
// Bytes  8 rows cols (one read, one write of 4 bytes)      Flops  none
// Bound  memory: the copy bandwidth is the ceiling, and a transpose should come close to it.

constexpr int TILE = 32;  // floats along each side
constexpr int STEP = 8;   // rows of threads: each thread moves TILE / STEP = 4 floats

__global__ void transpose(const float* __restrict__ x, float* __restrict__ out, int rows, int cols) {
    // SOLUTION: read a tile of x along its rows into shared memory, write it along the rows of out
    // Column 32 is never used. It moves each row one bank on, so that the 32 floats of a column lie in 32 banks.
    __shared__ float tile[TILE][TILE + 1];

    const int left = blockIdx.x * TILE;  // the tile's corner in x
    const int top = blockIdx.y * TILE;

    // All loads first, so that four of them are on their way before the first is waited for.
    float mine[TILE / STEP];
#pragma unroll
    for (int k = 0; k < TILE / STEP; ++k) {
        const int row = top + threadIdx.y + k * STEP;
        const int col = left + threadIdx.x;
        mine[k] = row < rows && col < cols ? x[static_cast<long long>(row) * cols + col] : 0.0f;
    }
#pragma unroll
    for (int k = 0; k < TILE / STEP; ++k) {
        tile[threadIdx.y + k * STEP][threadIdx.x] = mine[k];
    }
    __syncthreads();

    // The other way round: threadIdx.x counts rows of x now, which are neighbours in out.
#pragma unroll
    for (int k = 0; k < TILE / STEP; ++k) {
        const int row = left + threadIdx.y + k * STEP;  // of out, which has cols rows
        const int col = top + threadIdx.x;
        if (row < cols && col < rows) {
            out[static_cast<long long>(row) * rows + col] = tile[threadIdx.x][threadIdx.y + k * STEP];
        }
    }
    // END SOLUTION
}
