#include <math.h>  // INFINITY

constexpr int COLS = 256;

// A warp for each row in all four: this is its row, or -1 where there is none.
__device__ int my_row(int rows) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    return row < rows ? row : -1;
}

__global__ void row_max(const float* __restrict__ x, float* __restrict__ largest, int rows) {
    const int row = my_row(rows);
    if (row >= 0) {
        float high = -INFINITY;
#pragma unroll
        for (int i = 0; i < COLS; i += 32) {
            high = fmaxf(high, x[row * COLS + i + threadIdx.x]);
        }
        for (int distance = 16; distance > 0; distance /= 2) {
            high = fmaxf(high, __shfl_xor_sync(0xffffffff, high, distance));
        }
        largest[row] = high;
    }
}

__global__ void shift(const float* __restrict__ x, const float* __restrict__ largest, float* __restrict__ e, int rows) {
    const int row = my_row(rows);
    if (row >= 0) {
        const float high = largest[row];
#pragma unroll
        for (int i = 0; i < COLS; i += 32) {
            e[row * COLS + i + threadIdx.x] = __expf(x[row * COLS + i + threadIdx.x] - high);
        }
    }
}

__global__ void row_sum(const float* __restrict__ e, float* __restrict__ sum, int rows) {
    const int row = my_row(rows);
    if (row >= 0) {
        float total = 0.0f;
#pragma unroll
        for (int i = 0; i < COLS; i += 32) {
            total += e[row * COLS + i + threadIdx.x];
        }
        for (int distance = 16; distance > 0; distance /= 2) {
            total += __shfl_xor_sync(0xffffffff, total, distance);
        }
        sum[row] = total;
    }
}

__global__ void divide(const float* __restrict__ e, const float* __restrict__ sum, float* __restrict__ out, int rows) {
    const int row = my_row(rows);
    if (row >= 0) {
        const float scale = 1.0f / sum[row];
#pragma unroll
        for (int i = 0; i < COLS; i += 32) {
            out[row * COLS + i + threadIdx.x] = e[row * COLS + i + threadIdx.x] * scale;
        }
    }
}
