// Stream compaction: the positive elements of x to the front of out, in their order; zeros behind; count[0] of them.
//
// Idea   a ballot gives every lane the votes of all 32 as the bits of one integer: how many voted yes is its population
//        count, and how many of them stand before me is that of its lower bits. Each warp owns a stretch of x. A first
//        launch counts the positive elements of each stretch; in a second one each warp adds up the counts before its
//        own, which is where its first element goes, and walks over its stretch once more.
// Bytes  12 n (two reads, one write)      Flops  n (one comparison each)
// Bound  memory: 12 n, where 8 n would do if no warp had to know the counts before its own.

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part
constexpr int EACH = 8;               // elements that each lane loads before it looks at the first

// Warp w owns x[w * stretch] to x[(w + 1) * stretch - 1]; stretch is a multiple of 32.
__global__ void count_positive(const float* __restrict__ x, int* __restrict__ counts, int n, int stretch) {
    // TODO: count the positive elements of this warp's stretch by ballot and population count: counts[w]
}

__global__ void compact(const float* __restrict__ x, const int* __restrict__ counts, float* __restrict__ out,
                        int* __restrict__ count, int n, int stretch) {
    // TODO: add up all counts, and those before this warp's; walk over its stretch again and put each element in place
}
