// Sort columns: x holds 32 samples of n sensors, row by row; out holds each sensor's samples in ascending order.
//
// Idea   a thread for each sensor, its 32 samples in registers. Registers have no addresses: the sort must only use
//        indices that the compiler knows. A sorting network is made of nothing else: which pairs are compared, and in
//        which order, does not depend on the values.
// Bytes  256 n (32 values read, 32 written, 4 bytes each)      Flops  480 n (240 comparators, a minimum and a maximum)
// Bound  memory: two flops for each byte, as long as nothing but x and out is moved.

constexpr int SAMPLES = 32;

__global__ void sort_columns(const float* __restrict__ x, float* __restrict__ out, int n) {
    // TODO: sort column i, i the global index: x[i], x[n + i], x[2n + i] ...; all of it has to stay in registers
}
