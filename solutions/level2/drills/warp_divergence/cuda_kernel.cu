// Two rules: out[2i] is a nested radical of x[2i], out[2i + 1] a continued fraction of x[2i + 1], each eight deep.
//
// Idea   a thread owns a pair, one even element and one odd. It computes both rules, after each other, and so do all
//        other threads: nobody branches. A thread for each element would make every warp go through both rules with
//        half of its lanes idle, for the same result.
// Bytes  8 n (one read, one write of 4 bytes)      Flops  16 n, counting roots and divisions as one
// Bound  compute: an exact root or division is some ten instructions, so an element takes about 90, and 55 can be
//        issued while its 8 bytes arrive. Divergent, it takes twice as many.

constexpr int DEPTH = 8;

__device__ float nested_radical(float x) {
    float value = 0.0f;
#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
        value = sqrtf(fabsf(x) + value);
    }
    return value;
}

__device__ float continued_fraction(float x) {
    float value = 0.0f;
#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
        value = x / (1.0f + fabsf(value));
    }
    return value;
}

__global__ void two_rules(const float* __restrict__ x, float* __restrict__ out, int n) {
    // SOLUTION: give each thread work so that no two lanes of a warp disagree about which rule comes next
    const int pair = blockIdx.x * blockDim.x + threadIdx.x;
    const int pairs = n / 2;
    if (pair < pairs) {
        const float2 in = reinterpret_cast<const float2*>(x)[pair];
        reinterpret_cast<float2*>(out)[pair] = make_float2(nested_radical(in.x), continued_fraction(in.y));
    } else if (pair == pairs && n % 2 == 1) {  // an odd n leaves one even element over
        out[n - 1] = nested_radical(x[n - 1]);
    }
    // END SOLUTION
}
