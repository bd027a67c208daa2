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
    // SOLUTION: count the positive elements of this warp's stretch by ballot and population count: counts[w]
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    const int begin = warp * stretch;
    const int end = min(n, begin + stretch);
    int total = 0;
#pragma unroll 8
    for (int start = begin; start < end; start += 32) {  // the same for all lanes: none leaves the loop early
        const int i = start + lane;
        total += __popc(__ballot_sync(ALL, i < n && x[i] > 0.0f));
    }
    if (lane == 0) {
        counts[warp] = total;  // 0 for a warp past the end
    }
    // END SOLUTION
}

__global__ void compact(const float* __restrict__ x, const int* __restrict__ counts, float* __restrict__ out,
                        int* __restrict__ count, int n, int stretch) {
    // SOLUTION: add up all counts, and those before this warp's; walk over its stretch again and put each element in place
    const int warps = gridDim.x * blockDim.x / 32;
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    int total = 0;   // positive elements in all of x
    int before = 0;  // positive elements before those that this warp looks at
#pragma unroll 4
    for (int other = lane; other < warps; other += 32) {
        const int theirs = counts[other];
        total += theirs;
        before += other < warp ? theirs : 0;
    }
#if __CUDA_ARCH__ >= 800
    total = __reduce_add_sync(ALL, total);  // of integers, a warp's sum is one instruction, from Ampere on
    before = __reduce_add_sync(ALL, before);
#else
    for (int step = 16; step > 0; step /= 2) {
        total += __shfl_xor_sync(ALL, total, step);
        before += __shfl_xor_sync(ALL, before, step);
    }
#endif
    if (warp == 0 && lane == 0) {
        count[0] = total;
    }

    const int begin = warp * stretch;
    const int end = min(n, begin + stretch);
    const unsigned lower_lanes = (1u << lane) - 1;
    for (int start = begin; start < end; start += 32 * EACH) {
        float v[EACH];  // registers: all loads are issued before the first vote, which waits for one of them
#pragma unroll
        for (int k = 0; k < EACH; ++k) {
            const int i = start + 32 * k + lane;
            v[k] = i < end ? x[i] : 0.0f;
        }
#pragma unroll
        for (int k = 0; k < EACH; ++k) {
            const int i = start + 32 * k + lane;
            const unsigned votes = __ballot_sync(ALL, v[k] > 0.0f);
            const int rank = before + __popc(votes & lower_lanes);  // positive elements before x[i]
            if (i < end) {
                // The others are i - rank before x[i], and each leaves a zero behind the last positive element.
                out[v[k] > 0.0f ? rank : total + i - rank] = v[k] > 0.0f ? v[k] : 0.0f;
            }
            before += __popc(votes);
        }
    }
    // END SOLUTION
}
