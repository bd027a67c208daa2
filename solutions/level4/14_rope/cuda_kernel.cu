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

// SOLUTION: write __device__ functions: load and store eight elements or one, as float32
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
// END SOLUTION

// WIDTH elements are moved with one instruction. It divides half_dim; where it is eight, all halves begin on 16 bytes.
template <int WIDTH>
__global__ void rope(const bf16* __restrict__ q, const bf16* __restrict__ k, const bf16* __restrict__ cos,
                     const bf16* __restrict__ sin, bf16* __restrict__ q_out, bf16* __restrict__ k_out, int seq,
                     int q_heads, int kv_heads, int half_dim) {
    // SOLUTION: one block for each token: load its cosines and sines, turn the pairs of all heads of q and k by them
    const long long token = blockIdx.x;  // of all batches
    const long long position = blockIdx.x % seq;
    const int packs = half_dim / WIDTH;
    for (int head = threadIdx.y; head < q_heads + kv_heads; head += blockDim.y) {  // first q's heads, then k's
        const bool of_q = head < q_heads;
        const long long row = of_q ? token * q_heads + head : token * kv_heads + (head - q_heads);
        const bf16* from = (of_q ? q : k) + row * 2 * half_dim;
        bf16* to = (of_q ? q_out : k_out) + row * 2 * half_dim;
        for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
            const int partner = pack + packs;  // half a head further on
            float a[WIDTH];
            float b[WIDTH];
            float c[WIDTH];
            float s[WIDTH];
            load(a, from, pack);
            load(b, from, partner);
            load(c, cos + position * half_dim, pack);  // for each head anew, but from the L1 cache: none waits for these
            load(s, sin + position * half_dim, pack);
            float turned_a[WIDTH];
            float turned_b[WIDTH];
#pragma unroll
            for (int j = 0; j < WIDTH; ++j) {
                turned_a[j] = a[j] * c[j] - b[j] * s[j];
                turned_b[j] = b[j] * c[j] + a[j] * s[j];
            }
            store(to, pack, turned_a);
            store(to, partner, turned_b);
        }
    }
    // END SOLUTION
}
