// Naive: for every 256 elements of the row a tree in shared memory, of ten barriers and ever more idle lanes.

__global__ void mean(const float* x, float* out, int rows, int cols) {
    __shared__ float values[256];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int start = 0; start < cols; start += 256) {
        values[t] = start + t < cols ? x[blockIdx.x * cols + start + t] : 0.0f;
        __syncthreads();
        for (int distance = 1; distance < 256; distance *= 2) {
            if (t % (2 * distance) == 0) {
                values[t] += values[t + distance];
            }
            __syncthreads();
        }
        sum += values[0];
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = sum / cols;
    }
}
