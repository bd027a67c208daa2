// Sort columns: x holds 32 samples of n sensors, row by row; out holds each sensor's samples in ascending order.
//
// Idea   a thread for each sensor, its 32 samples in registers. Registers have no addresses: the sort must only use
//        indices that the compiler knows. A sorting network is made of nothing else: which pairs are compared, and in
//        which order, does not depend on the values.
// Bytes  256 n (32 values read, 32 written, 4 bytes each)      Flops  480 n (240 comparators, a minimum and a maximum)
// Bound  memory: two flops for each byte, as long as nothing but x and out is moved.

constexpr int SAMPLES = 32;

__global__ void sort_columns(const float* __restrict__ x, float* __restrict__ out, int n) {
    // SOLUTION: sort column i, i the global index: x[i], x[n + i], x[2n + i] ...; all of it has to stay in registers
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const long long row = n;
    float v[SAMPLES];
#pragma unroll
    for (int k = 0; k < SAMPLES; ++k) {
        v[k] = x[k * row + i];  // neighbours read neighbours, and all 32 loads are on their way at once
    }
    // The bitonic network: runs of `size` are sorted, up and down in turn, until one run is left. Unrolled, the loops
    // and the conditions are gone, and v[k] is the name of a register.
#pragma unroll
    for (int size = 2; size <= SAMPLES; size *= 2) {
#pragma unroll
        for (int distance = size / 2; distance > 0; distance /= 2) {
#pragma unroll
            for (int k = 0; k < SAMPLES; ++k) {
                const int partner = k ^ distance;
                if (partner > k) {
                    const float low = fminf(v[k], v[partner]);
                    const float high = fmaxf(v[k], v[partner]);
                    const bool up = (k & size) == 0;
                    v[k] = up ? low : high;
                    v[partner] = up ? high : low;
                }
            }
        }
    }
#pragma unroll
    for (int k = 0; k < SAMPLES; ++k) {
        out[k * row + i] = v[k];
    }
    // END SOLUTION
}
