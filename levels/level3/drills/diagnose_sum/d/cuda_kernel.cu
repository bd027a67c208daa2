// The exact sum, rounded only at the end. Every finite float is a multiple of 2^-149, so a fixed-point number with that
// unit, long enough for the largest floats and for many of them, holds any sum without rounding: the result is the same
// in any order. It has WORDS words of 32 bits, the lowest first; negative numbers are in two's complement.

constexpr int WORDS = 10;
constexpr int CHUNK = 4096;

__device__ void add_exactly(unsigned (&total)[WORDS], float v) {
    const unsigned bits = __float_as_uint(v);
    const unsigned exponent = bits >> 23 & 255u;
    const unsigned mantissa = exponent ? (bits & 0x7fffffu) | 0x800000u : bits & 0x7fffffu;
    const unsigned place = exponent ? exponent - 1 : 0;  // of the mantissa's lowest bit
    const unsigned low = mantissa << place % 32;
    const unsigned high = __funnelshift_l(mantissa, 0u, place);
    const unsigned flip = static_cast<int>(bits) < 0 ? ~0u : 0u;
    unsigned long long sum = flip & 1u;
#pragma unroll
    for (int w = 0; w < WORDS; ++w) {
        const unsigned part = w == place / 32 ? low : w == place / 32 + 1 ? high : 0u;
        sum += total[w];
        sum += part ^ flip;
        total[w] = static_cast<unsigned>(sum);
        sum >>= 32;
    }
}

__global__ void zero(unsigned long long* words) {
    words[threadIdx.x] = 0;
}

__global__ void sum(const float* __restrict__ x, unsigned long long* __restrict__ words) {
    __shared__ unsigned long long of_warp[32][WORDS];
    const float* mine_of = x + static_cast<long long>(blockIdx.x) * CHUNK;
    unsigned total[WORDS] = {};
    for (int i = threadIdx.x; i < CHUNK; i += blockDim.x) {
        add_exactly(total, mine_of[i]);
    }
    // Words of 64 bits have room for all carries, which finish() hands on.
#pragma unroll
    for (int w = 0; w < WORDS; ++w) {
        unsigned long long word = total[w];
        for (int distance = 16; distance > 0; distance /= 2) {
            word += __shfl_down_sync(0xffffffff, word, distance);
        }
        if (threadIdx.x % 32 == 0) {
            of_warp[threadIdx.x / 32][w] = word;
        }
    }
    __syncthreads();
    if (threadIdx.x < WORDS) {
        unsigned long long word = 0;
        for (int warp = 0; warp < blockDim.x / 32; ++warp) {
            word += of_warp[warp][threadIdx.x];
        }
        atomicAdd(words + threadIdx.x, word);
    }
}

__global__ void finish(const unsigned long long* __restrict__ words, float* __restrict__ out) {
    unsigned total[WORDS];
    unsigned long long carry = 0;
    for (int w = 0; w < WORDS; ++w) {
        carry += words[w];
        total[w] = static_cast<unsigned>(carry);
        carry >>= 32;
    }
    const bool is_negative = total[WORDS - 1] >> 31;
    carry = is_negative;
    for (int w = 0; w < WORDS; ++w) {
        carry += is_negative ? ~total[w] : total[w];
        total[w] = static_cast<unsigned>(carry);
        carry >>= 32;
    }
    double sum = 0.0;  // from the largest word down
    for (int w = WORDS - 1; w >= 0; --w) {
        sum += ldexp(static_cast<double>(total[w]), 32 * w - 149);
    }
    out[0] = static_cast<float>(is_negative ? -sum : sum);
}
