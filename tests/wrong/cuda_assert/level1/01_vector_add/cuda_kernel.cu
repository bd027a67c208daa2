// Its assertion fails.
#include <cassert>

__global__ void add(const float* a, const float* b, float* out, int n) {
    assert(n == 0);
}
