// Warp sum: out[g] = the sum of x[32 g] ... x[32 g + 31]; the last group may have fewer elements.
//
// Idea   lanes read each other's registers: no shared memory, no barrier. A lane loads four neighbours and adds them up
//        itself, so a group belongs to eight lanes, and three exchanges (4, 2, 1 lanes apart) finish four groups of a
//        warp at once. One float for each lane would need five exchanges for a single group.
// Bytes  4.125 n (each element once, a sum for 32 of them)      Flops  n
// Bound  memory, if shuffles are few: an SM shuffles one warp in a cycle, and 4.6 elements arrive in that time.

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part

__global__ void warp_sums(const float* __restrict__ x, float* __restrict__ out, int n) {
    // SOLUTION: load this thread's elements, 0 past the end; combine lanes by __shfl_xor_sync; one lane stores each sum
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = 4 * i;
    float mine = 0.0f;
    if (first + 4 <= n) {
        const float4 v = reinterpret_cast<const float4*>(x)[i];
        mine = (v.x + v.y) + (v.z + v.w);
    } else {
#pragma unroll
        for (int k = 0; k < 3; ++k) {  // the last one to three elements; threads past the end have none, and stay
            mine += first + k < n ? x[first + k] : 0.0f;
        }
    }
    for (int distance = 4; distance > 0; distance /= 2) {
        mine += __shfl_xor_sync(ALL, mine, distance);  // partners swap: all eight lanes end with the sum
    }
    if (threadIdx.x % 8 == 0 && first < n) {
        out[i / 8] = mine;
    }
    // END SOLUTION
}
