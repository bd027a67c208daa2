// RoPE in bfloat16: elements d and d + half_dim of each head of q and k are a point in the plane, turned by the angle d of
// its position. q and k are (batch x seq x heads x 2 half_dim), cos and sin are (seq x half_dim).
//
// Idea   a block owns a token: the heads of q and k that share their angles, which come from DRAM once. A thread turns
//        eight pairs of a head: 16 bytes from either of its halves, 16 of cosines, 16 of sines, all on their way at once.
//        Arithmetic is float32 and is rounded once.
// Bytes  8 half_dim (q_heads + kv_heads) for each token (one read, one write of 2 bytes); cos and sin are small
// Flops  6 half_dim (q_heads + kv_heads) for each token (four products, two sums for a pair)
// Bound  memory: less than a flop for each byte. The copy bandwidth is the ceiling.

#include <cuda_bf16.h>

using bf16 = __nv_bfloat16;

// TODO: write __device__ functions: load and store eight elements or one, as float32

// WIDTH elements are moved with one instruction. It divides half_dim; where it is eight, all halves begin on 16 bytes.
template <int WIDTH>
__global__ void rope(const bf16* __restrict__ q, const bf16* __restrict__ k, const bf16* __restrict__ cos,
                     const bf16* __restrict__ sin, bf16* __restrict__ q_out, bf16* __restrict__ k_out, int seq,
                     int q_heads, int kv_heads, int half_dim) {
    // TODO: one block for each token: load its cosines and sines, turn the pairs of all heads of q and k by them
}
