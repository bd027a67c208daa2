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
    // TODO: load the block's tile and RADIUS more on either side into shared memory; then make its outputs
}
