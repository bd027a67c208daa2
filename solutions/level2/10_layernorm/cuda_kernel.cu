// LayerNorm: out[row][col] = (x[row][col] - mean) / sqrt(variance + 1e-5) * weight[col] + bias[col], row-major, with
// mean and variance (over n, not n - 1) of the row.
//
// Idea   a block owns a row and keeps it in registers: 16 floats for each thread are read once, then gone over three
//        times: for the mean, for the squared distances from it, for the result. Three passes, one read.
// Bytes  8 rows cols (one read, one write of 4 bytes); weight and bias stay in the caches      Flops  7 rows cols
// Bound  memory: a flop for each byte. The copy bandwidth is the ceiling.

// SOLUTION: write a block-wide sum that every thread gets; it is needed twice
// WIDTH neighbouring floats, moved with one instruction: 16 bytes where the row starts on a 16-byte boundary.
template <int WIDTH>
struct alignas(4 * WIDTH) Pack {
    float v[WIDTH];
};

constexpr int KEPT = 16;  // floats of the row that each thread keeps in registers

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;  // the same in every lane
}

// The sum over the block, for every thread. Each call wants 32 floats of its own: if two calls shared them, a fast
// warp could write its second sum while a slow one still reads the first ones.
__device__ float block_sum(float value, float* of_warp) {
    const int lane = threadIdx.x % 32;
    value = warp_sum(value);
    if (lane == 0) {
        of_warp[threadIdx.x / 32] = value;
    }
    __syncthreads();
    return warp_sum(lane < blockDim.x / 32 ? of_warp[lane] : 0.0f);
}

// Calls visit(pack, index) for each pack of the row that this thread owns: those in registers, then those for which a
// very wide row has no registers left. They are read again each time; the L2 cache still has them.
template <int WIDTH, typename Visit>
__device__ void each(const Pack<WIDTH> (&kept)[KEPT / WIDTH], const Pack<WIDTH>* from, int packs, Visit visit) {
#pragma unroll
    for (int k = 0; k < KEPT / WIDTH; ++k) {
        const int i = threadIdx.x + k * blockDim.x;
        if (i < packs) {
            visit(kept[k], i);
        }
    }
    for (int i = threadIdx.x + KEPT / WIDTH * blockDim.x; i < packs; i += blockDim.x) {
        visit(from[i], i);
    }
}

template <int WIDTH>
__device__ void normalize(const float* __restrict__ x, const float* __restrict__ weight,
                          const float* __restrict__ bias, float* __restrict__ out, int cols) {
    __shared__ float of_warp[2][32];
    using Row = Pack<WIDTH>;
    const Row* from = reinterpret_cast<const Row*>(x);
    const int packs = cols / WIDTH;  // WIDTH divides cols

    // All loads first: none waits for another, so all of the row is on its way at once.
    Row kept[KEPT / WIDTH];
#pragma unroll
    for (int k = 0; k < KEPT / WIDTH; ++k) {
        const int i = threadIdx.x + k * blockDim.x;
        kept[k] = i < packs ? from[i] : Row{};
    }

    float sum = 0.0f;
    each<WIDTH>(kept, from, packs, [&](const Row& pack, int) {
        for (int j = 0; j < WIDTH; ++j) {
            sum += pack.v[j];
        }
    });
    const float mean = block_sum(sum, of_warp[0]) / cols;

    // The variance from distances to the mean. E[x^2] - mean^2 would save this pass and lose every digit that the two
    // have in common: all of them, where the mean is 1000 standard deviations.
    float squares = 0.0f;
    each<WIDTH>(kept, from, packs, [&](const Row& pack, int) {
        for (int j = 0; j < WIDTH; ++j) {
            const float distance = pack.v[j] - mean;
            squares += distance * distance;
        }
    });
    const float scale = rsqrtf(block_sum(squares, of_warp[1]) / cols + 1e-5f);

    each<WIDTH>(kept, from, packs, [&](const Row& pack, int i) {
        const Row factor = reinterpret_cast<const Row*>(weight)[i];
        const Row shift = reinterpret_cast<const Row*>(bias)[i];
        Row result;
        for (int j = 0; j < WIDTH; ++j) {
            result.v[j] = (pack.v[j] - mean) * scale * factor.v[j] + shift.v[j];
        }
        reinterpret_cast<Row*>(out)[i] = result;
    });
}
// END SOLUTION

__global__ void layernorm(const float* __restrict__ x, const float* __restrict__ weight,
                          const float* __restrict__ bias, float* __restrict__ out, int rows, int cols) {
    // SOLUTION: one block for each row: read it once; mean, then variance around it, then the result
    const long long start = static_cast<long long>(blockIdx.x) * cols;
    if (cols % 4 == 0) {  // then every row starts on a 16-byte boundary
        normalize<4>(x + start, weight, bias, out + start, cols);
    } else {
        normalize<1>(x + start, weight, bias, out + start, cols);
    }
    // END SOLUTION
}
