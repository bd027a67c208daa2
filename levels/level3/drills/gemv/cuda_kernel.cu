// Matrix times vector: out = a x for row-major a (m x n); x has n elements, out has m.
//
// Idea   a warp owns a row: its lanes multiply and add along the row in registers and meet in five shuffles. An element
//        of a is needed once, by one lane, so there is nothing to tile; x is small and comes out of the L1 cache.
// Bytes  4 (m n + n + m) (a is read once; for x, DRAM is asked once)      Flops  2 m n
// Bound  memory: half a flop for each byte. Reading at full bandwidth is the ceiling, so loads are 16 bytes wide and
//        several are under way.

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part

__global__ void gemv(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ out, int m, int n) {
    // TODO: find this warp's row, multiply and add along it lane by lane, combine the lanes, let one of them store
}
