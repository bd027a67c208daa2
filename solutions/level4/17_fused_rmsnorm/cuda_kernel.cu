// Residual add and RMSNorm, row-major in bfloat16: residual_out = x + residual, rounded; out = residual_out / sqrt(mean of
// its row's squares + 1e-5) * weight.
//
// Idea   a block owns a row. Each thread reads its part of x and residual once, eight elements with a load, and keeps the
//        sum in registers: it goes to memory as the new residual, its squares go to the block's sum, and what comes of
//        both is stored as out. In two kernels the sum would be written by the one and read again by the other.
// Bytes  8 rows cols (two reads, two writes of 2 bytes; two kernels: 10); weight stays in the caches
// Flops  5 rows cols
// Bound  memory: less than a flop for each byte. The copy bandwidth is the ceiling.

#include <cuda_bf16.h>

using bf16 = __nv_bfloat16;

// SOLUTION: write __device__ functions: load and store eight elements or one, as float32; a block-wide sum
constexpr int KEPT = 16;  // elements of the row that each thread keeps in registers, as float32

// Pack i of a row, which has as many elements as `v`: eight are 16 bytes, one instruction.
__device__ void load(float (&v)[8], const bf16* row, int i) {
    const uint4 words = reinterpret_cast<const uint4*>(row)[i];
#pragma unroll
    for (int k = 0; k < 4; ++k) {  // each of its four words is a pair
        const float2 pair = __bfloat1622float2(reinterpret_cast<const __nv_bfloat162*>(&words)[k]);
        v[2 * k] = pair.x;
        v[2 * k + 1] = pair.y;
    }
}

__device__ void load(float (&v)[1], const bf16* row, int i) { v[0] = __bfloat162float(row[i]); }

__device__ void store(bf16* row, int i, const float (&v)[8]) {
    uint4 words;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        reinterpret_cast<__nv_bfloat162*>(&words)[k] = __floats2bfloat162_rn(v[2 * k], v[2 * k + 1]);
    }
    reinterpret_cast<uint4*>(row)[i] = words;
}

__device__ void store(bf16* row, int i, const float (&v)[1]) { row[i] = __float2bfloat16(v[0]); }

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;  // the same in every lane
}

// The sum over the block, for every thread. Blocks are whole warps, so all lanes take part in the shuffles.
__device__ float block_sum(float value) {
    __shared__ float of_warp[32];
    const int lane = threadIdx.x % 32;
    value = warp_sum(value);
    if (lane == 0) {
        of_warp[threadIdx.x / 32] = value;
    }
    __syncthreads();
    return warp_sum(lane < blockDim.x / 32 ? of_warp[lane] : 0.0f);
}
// END SOLUTION

// WIDTH elements are moved with one instruction. It divides cols, and where it is eight, all rows begin on 16 bytes.
template <int WIDTH>
__global__ void fused_rmsnorm(const bf16* __restrict__ x, const bf16* __restrict__ residual,
                              const bf16* __restrict__ weight, bf16* out, bf16* residual_out, int cols) {
    // SOLUTION: one block for each row: read x and residual once, store their sum, scale it by rsqrtf(mean + 1e-5) and weight
    const long long start = static_cast<long long>(blockIdx.x) * cols;
    x += start;
    residual += start;
    out += start;
    residual_out += start;
    const int packs = cols / WIDTH;
    constexpr int MINE = KEPT / WIDTH;
    float squares = 0.0f;

    // Pack i of x + residual. It is rounded here, so that the norm is that of the residual which the next block reads.
    const auto add = [&](float (&sum)[WIDTH], int i) {
        float other[WIDTH];
        load(sum, x, i);
        load(other, residual, i);
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) {
            sum[j] = __bfloat162float(__float2bfloat16(sum[j] + other[j]));
        }
    };
    const auto keep = [&](const float (&sum)[WIDTH], int i) {
        store(residual_out, i, sum);
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) {
            squares += sum[j] * sum[j];
        }
    };
    const auto finish = [&](const float (&sum)[WIDTH], const float (&factor)[WIDTH], float scale, int i) {
        float result[WIDTH];
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) {
            result[j] = sum[j] * scale * factor[j];
        }
        store(out, i, result);
    };

    // All loads first, and behind no branch: past the end it is the last pack once more. So no load waits for another.
    float kept[MINE][WIDTH];
#pragma unroll
    for (int k = 0; k < MINE; ++k) {
        const int i = threadIdx.x + k * blockDim.x;
        add(kept[k], min(i, packs - 1));
    }
#pragma unroll
    for (int k = 0; k < MINE; ++k) {
        const int i = threadIdx.x + k * blockDim.x;
        if (i < packs) {
            keep(kept[k], i);
        }
    }
    const int rest = threadIdx.x + MINE * blockDim.x;  // where a row begins that is too wide for the registers
    for (int i = rest; i < packs; i += blockDim.x) {
        float sum[WIDTH];
        add(sum, i);
        keep(sum, i);
    }

    const float scale = rsqrtf(block_sum(squares) / cols + 1e-5f);
    float factors[MINE][WIDTH];
#pragma unroll
    for (int k = 0; k < MINE; ++k) {
        const int i = threadIdx.x + k * blockDim.x;
        load(factors[k], weight, min(i, packs - 1));
    }
#pragma unroll
    for (int k = 0; k < MINE; ++k) {
        const int i = threadIdx.x + k * blockDim.x;
        if (i < packs) {
            finish(kept[k], factors[k], scale, i);
        }
    }
    for (int i = rest; i < packs; i += blockDim.x) {
        float sum[WIDTH];
        float factor[WIDTH];
        load(sum, residual_out, i);  // this thread wrote it, and the L2 cache still has it
        load(factor, weight, i);
        finish(sum, factor, scale, i);
    }
    // END SOLUTION
}
