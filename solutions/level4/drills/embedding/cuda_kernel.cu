// Embedding: out[t] = table[ids[t]] for row-major table (vocab x dim) and out (tokens x dim); a row for each token.
//
// Idea   nothing is computed, and where to read is data: a block takes a token, looks its id up once, and copies that
//        row of the table along its length. However wildly the ids jump, neighbouring threads read neighbouring bytes.
// Bytes  4 tokens dim + 8 tokens (a row read, a row written, of 2 bytes each; an id of 8)      Flops  none
// Bound  memory: the copy bandwidth, as long as a row is much longer than the 32 bytes of a sector.

#include <cuda_bf16.h>

// dim is a multiple of eight: every row of either matrix begins on 16 bytes.
__global__ void embedding_wide(const __nv_bfloat16* __restrict__ table, const long long* __restrict__ ids,
                               __nv_bfloat16* __restrict__ out, int dim) {
    // SOLUTION: this block's token, its id, and the row of the table: copied eight elements at a time
    const long long token = blockIdx.x;
    const long long id = ids[token];  // the same for all threads: one sector for the block
    const uint4* row = reinterpret_cast<const uint4*>(table + id * dim);
    uint4* out_row = reinterpret_cast<uint4*>(out + token * dim);
#pragma unroll 4
    for (int i = threadIdx.x; i < dim / 8; i += blockDim.x) {
        out_row[i] = row[i];
    }
    // END SOLUTION
}

// Any dim.
__global__ void embedding(const __nv_bfloat16* __restrict__ table, const long long* __restrict__ ids,
                          __nv_bfloat16* __restrict__ out, int dim) {
    // SOLUTION: the same, element by element
    const long long token = blockIdx.x;
    const long long id = ids[token];
#pragma unroll 4
    for (int col = threadIdx.x; col < dim; col += blockDim.x) {
        out[token * dim + col] = table[id * dim + col];
    }
    // END SOLUTION
}
