// Naive: a thread for each element, so that in every warp half of the lanes wait while the others follow their rule.

__global__ void two_rules(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float value = 0.0f;
    if (i % 2 == 0) {
        for (int k = 0; k < 8; ++k) {
            value = sqrtf(fabsf(x[i]) + value);
        }
    } else {
        for (int k = 0; k < 8; ++k) {
            value = x[i] / (1.0f + fabsf(value));
        }
    }
    out[i] = value;
}
