// RMSNorm backward in bfloat16: with r = 1 / sqrt(mean of a row's x^2 + 1e-5) and g = grad_out,
//     grad_x[row][col] = r g w - x r^3 mean(g w x)          grad_weight[col] = sum over rows of g x r
//
// Idea   a block takes every so many-th row. For a row it needs two sums, of x^2 and of g w x, which one reduction gives;
//        x and g stay in registers meanwhile. A thread has the same columns in every row, so that it adds up its share
//        of grad_weight in registers as well and stores it once. A second kernel adds the blocks' shares, in a fixed
//        order: the result is the same bit for bit in every run, which atomicAdd would not promise.
// Bytes  6 rows cols (two reads, one write of 2 bytes) + 8 blocks cols for the shares, which stay in the L2 cache
// Flops  11 rows cols
// Bound  memory: two flops for each byte. The copy bandwidth is the ceiling.

#include <cuda_bf16.h>

using bf16 = __nv_bfloat16;

constexpr int PART_COLS = 32;    // sum_parts: a block has 32 columns, and
constexpr int PART_GROUPS = 32;  // 32 threads for each of them

// SOLUTION: write __device__ functions: load and store eight elements or one; a block-wide sum of pairs
constexpr int KEPT = 16;  // elements of a row that each thread keeps in registers, as float32

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

__device__ void store(float* row, int i, const float (&v)[8]) {
    reinterpret_cast<float4*>(row)[2 * i] = make_float4(v[0], v[1], v[2], v[3]);
    reinterpret_cast<float4*>(row)[2 * i + 1] = make_float4(v[4], v[5], v[6], v[7]);
}

__device__ void store(float* row, int i, const float (&v)[1]) { row[i] = v[0]; }

__device__ float2 warp_sum(float2 value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value.x += __shfl_xor_sync(0xffffffffu, value.x, offset);
        value.y += __shfl_xor_sync(0xffffffffu, value.y, offset);
    }
    return value;  // the same in every lane
}

// The sum over the block, for every thread. Consecutive calls must differ in `turn`: while one warp still reads the sums
// of this row, another may store those of the next.
__device__ float2 block_sum(float2 value, int turn) {
    __shared__ float2 of_warp[2][32];
    const int lane = threadIdx.x % 32;
    value = warp_sum(value);
    if (lane == 0) {
        of_warp[turn][threadIdx.x / 32] = value;
    }
    __syncthreads();
    return warp_sum(lane < blockDim.x / 32 ? of_warp[turn][lane] : make_float2(0.0f, 0.0f));
}
// END SOLUTION

// WIDTH elements are moved with one instruction. It divides cols, and where it is eight, all rows begin on 16 bytes.
// `parts` is (blocks x cols): each block's share of grad_weight.
template <int WIDTH>
__global__ void rmsnorm_backward(const bf16* __restrict__ x, const bf16* __restrict__ weight,
                                 const bf16* __restrict__ grad_out, bf16* __restrict__ grad_x, float* parts, int rows,
                                 int cols) {
    // SOLUTION: for every gridDim.x-th row, grad_x; over these rows, this block's share of grad_weight
    const int packs = cols / WIDTH;
    constexpr int MINE = KEPT / WIDTH;
    const int rest = threadIdx.x + MINE * blockDim.x;  // where a row begins that is too wide for the registers
    float* const part = parts + static_cast<long long>(blockIdx.x) * cols;
    float shares[MINE][WIDTH] = {};
    int turn = 0;
    for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
        const bf16* const x_row = x + row * cols;
        const bf16* const g_row = grad_out + row * cols;
        bf16* const to = grad_x + row * cols;

        // All loads first, and behind no branch: past the end it is the last pack once more. So no load waits for another.
        float xs[MINE][WIDTH];
        float gs[MINE][WIDTH];
#pragma unroll
        for (int k = 0; k < MINE; ++k) {
            const int i = threadIdx.x + k * blockDim.x;
            load(xs[k], x_row, min(i, packs - 1));
            load(gs[k], g_row, min(i, packs - 1));
        }

        float2 sums = {0.0f, 0.0f};  // of x^2 and of g w x
        const auto add = [&](const float (&xi)[WIDTH], const float (&gi)[WIDTH], int i) {
            float w[WIDTH];
            load(w, weight, i);
#pragma unroll
            for (int j = 0; j < WIDTH; ++j) {
                sums.x += xi[j] * xi[j];
                sums.y += xi[j] * (gi[j] * w[j]);
            }
        };
#pragma unroll
        for (int k = 0; k < MINE; ++k) {
            const int i = threadIdx.x + k * blockDim.x;
            if (i < packs) {
                add(xs[k], gs[k], i);
            }
        }
        for (int i = rest; i < packs; i += blockDim.x) {
            float xi[WIDTH];
            float gi[WIDTH];
            load(xi, x_row, i);
            load(gi, g_row, i);
            add(xi, gi, i);
        }

        sums = block_sum(sums, turn);
        turn ^= 1;
        const float r = rsqrtf(sums.x / cols + 1e-5f);
        const float pull = r * r * r * (sums.y / cols);
        const auto finish = [&](float (&share)[WIDTH], const float (&xi)[WIDTH], const float (&gi)[WIDTH], int i) {
            float w[WIDTH];
            float result[WIDTH];
            load(w, weight, i);  // again, from the L1 cache: registers are scarcer
#pragma unroll
            for (int j = 0; j < WIDTH; ++j) {
                result[j] = r * (gi[j] * w[j]) - pull * xi[j];
                share[j] += gi[j] * (xi[j] * r);
            }
            store(to, i, result);
        };
#pragma unroll
        for (int k = 0; k < MINE; ++k) {
            const int i = threadIdx.x + k * blockDim.x;
            if (i < packs) {
                finish(shares[k], xs[k], gs[k], i);
            }
        }
        for (int i = rest; i < packs; i += blockDim.x) {  // read again, from the L2 cache; shares are added up in memory
            float xi[WIDTH];
            float gi[WIDTH];
            float share[WIDTH];
            load(xi, x_row, i);
            load(gi, g_row, i);
            for (int j = 0; j < WIDTH; ++j) {
                share[j] = row == blockIdx.x ? 0.0f : part[i * WIDTH + j];
            }
            finish(share, xi, gi, i);
            store(part, i, share);
        }
    }
#pragma unroll
    for (int k = 0; k < MINE; ++k) {
        const int i = threadIdx.x + k * blockDim.x;
        if (i < packs) {
            store(part, i, shares[k]);
        }
    }
    // END SOLUTION
}

__global__ void sum_parts(const float* __restrict__ parts, bf16* __restrict__ grad_weight, int count, int cols) {
    // SOLUTION: add up the `count` shares of each column in float32; round once
    __shared__ float sums[PART_GROUPS][PART_COLS];
    const int col = blockIdx.x * PART_COLS + threadIdx.x;
    float sum = 0.0f;
    if (col < cols) {
#pragma unroll 8
        for (int i = threadIdx.y; i < count; i += PART_GROUPS) {
            sum += parts[static_cast<long long>(i) * cols + col];
        }
    }
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && col < cols) {
        for (int i = 1; i < PART_GROUPS; ++i) {
            sum += sums[i][threadIdx.x];
        }
        grad_weight[col] = __float2bfloat16(sum);
    }
    // END SOLUTION
}
