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
    // TODO: read a tile of x along its rows into shared memory, write it along the rows of out
}
