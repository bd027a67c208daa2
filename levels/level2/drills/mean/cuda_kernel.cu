// Mean of every row of a row-major matrix.
//
// Idea   a warp owns a row: its lanes add up their share in registers and meet in five shuffles. Nothing is shared
//        between warps, so there is no shared memory, no barrier, and no warp that waits for another.
// Bytes  4 rows cols (each element once)      Flops  rows cols
// Bound  memory: reading at full bandwidth is the ceiling; there must be enough rows to fill the card with warps.

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part

__global__ void mean(const float* __restrict__ x, float* __restrict__ out, int rows, int cols) {
    // TODO: find this warp's row, add it up lane by lane, combine the lanes, and let one of them store the mean
}
