// Matrix times vector: out[row] = the dot product of x[row] and v.
//
// Idea   each block copies v to shared memory once, and then its warps take rows in turn: a warp for each row.
// Bytes  4 rows cols (v is read once by each block, from L2)      Flops  2 rows cols
// Bound  memory: half a flop for each byte. How close it comes depends on how many warps wait at the same time.

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

// Works for blocks of any number of whole warps, grids of any size, and 4 cols bytes of shared memory for each block.
__global__ void matvec(const float* __restrict__ x, const float* __restrict__ v, float* __restrict__ out, int rows,
                       int cols) {
    extern __shared__ float vector[];
    // TODO: copy v into `vector`, all threads of the block together, and wait until it is there

    const int lane = threadIdx.x % 32;
    const int warps = blockDim.x / 32;
    for (int row = blockIdx.x * warps + threadIdx.x / 32; row < rows; row += gridDim.x * warps) {
        const float* from = x + static_cast<long long>(row) * cols;
        float sum = 0.0f;
#pragma unroll 4
        for (int col = lane; col < cols; col += 32) {
            sum += from[col] * vector[col];
        }
        sum = warp_sum(sum);
        if (lane == 0) {
            out[row] = sum;
        }
    }
}
