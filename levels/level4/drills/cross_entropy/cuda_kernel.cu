// Cross entropy: out[row] = log(sum of exp(x)) - x[target] over the row x of row-major logits (rows x vocab).
//
// Idea   a block owns a row and walks over it once. Each thread keeps the largest logit it has met and the sum of
//        exp(x - largest), *online*: where the largest grows, the sum so far is scaled down. At the end the threads' pairs
//        are put on the same footing and added up. Of the probabilities none is stored, not even that of the target.
// Bytes  4 rows vocab + 12 rows (every logit is read once)
// Flops  4 rows vocab (maximum, subtract, exp, add), counting exp as one
// Bound  memory: an exponential and half a dozen instructions are a quarter of what the card issues while 4 bytes come.

#include <math.h>  // INFINITY

constexpr unsigned ALL = 0xffffffff;  // every lane of the warp takes part

// TODO: write a __device__ function that takes four more logits into m and s, and reductions over warp and block

__global__ void cross_entropy(const float* __restrict__ logits, const long long* __restrict__ targets,
                              float* __restrict__ out, int vocab) {
    // TODO: walk over this block's row once for maximum and sum, combine the threads' pairs, store one loss
}
