// Stencil: out[i] = weights[0] x[i - 3] + ... + weights[6] x[i + 3], with zeros beyond both ends of x.
//
// Idea   a block makes 2048 neighbouring outputs. It loads the 2054 inputs that they need into shared memory, each
//        one once, and reads the seven values of every output from there.
// Bytes  8 n (one read, one write of 4 bytes; the halo adds 6 in 2048)      Flops  14 n
// Bound  memory: under two flops for each byte. Shared memory delivers its 28 bytes for each output meanwhile.

constexpr int RADIUS = 3;
constexpr int BLOCK = 256;
constexpr int TILE = 2048;  // outputs of a block: eight for each thread

__global__ void stencil(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ out,
                        int n) {
    // SOLUTION: load the block's tile and RADIUS more on either side into shared memory; then make its outputs
    constexpr int WIDTH = TILE + 2 * RADIUS;
    __shared__ float tile[WIDTH];
    const int start = blockIdx.x * TILE;

    // tile[i] is x[start + i - RADIUS], so the left halo is no special case, only where the loop begins. All loads
    // come first: none waits for another.
    constexpr int MINE = TILE / BLOCK + 1;  // the last round is for the six that TILE does not hold
    float mine[MINE];
#pragma unroll
    for (int k = 0; k < MINE; ++k) {
        const int i = threadIdx.x + k * BLOCK;
        const int from = start + i - RADIUS;
        mine[k] = i < WIDTH && from >= 0 && from < n ? x[from] : 0.0f;
    }
    float weight[2 * RADIUS + 1];  // the same for all threads: one broadcast each
#pragma unroll
    for (int k = 0; k <= 2 * RADIUS; ++k) {
        weight[k] = weights[k];
    }
#pragma unroll
    for (int k = 0; k < MINE; ++k) {
        const int i = threadIdx.x + k * BLOCK;
        if (i < WIDTH) {
            tile[i] = mine[k];
        }
    }
    __syncthreads();

    // Neighbouring lanes read neighbouring words, whatever k is: 32 lanes, 32 banks.
    for (int i = threadIdx.x; i < TILE && start + i < n; i += BLOCK) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k <= 2 * RADIUS; ++k) {
            sum += weight[k] * tile[i + k];
        }
        out[start + i] = sum;
    }
    // END SOLUTION
}
