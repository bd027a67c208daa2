// Six mistakes that the virtual GPU names; README.md shows what it says of them (test_readme.py holds it to that).

__global__ void scale(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = 2.0f * x[i];
}

__global__ void reverse(const float* x, float* out, int n) {
    __shared__ float tile[256];
    tile[threadIdx.x] = x[threadIdx.x];
    out[threadIdx.x] = tile[255 - threadIdx.x];
}

__global__ void smooth(const float* x, float* out, int n) {
    __shared__ float tile[258];
    int i = threadIdx.x;
    tile[i + 1] = x[i];
    __syncthreads();
    out[i] = (tile[i] + tile[i + 1] + tile[i + 2]) / 3.0f;
}

__global__ void halves(const float* x, float* out, int n) {
    __shared__ float tile[256];
    int i = threadIdx.x;
    tile[i] = x[i];
    if (i < 128) {
        __syncthreads();
        out[i] = tile[i + 128];
    } else {
        __syncthreads();
        out[i] = tile[i - 128];
    }
}

__global__ void column_sums(const float* x, float* out, int n) {
    float sum = 0.0f;
    for (int row = 0; row < n; ++row) sum += x[threadIdx.x * n + row];
    out[threadIdx.x] = sum;
}

__global__ void transpose(const float* x, float* out, int n) {
    __shared__ float tile[32][32];
    int column = threadIdx.x % 32, first = threadIdx.x / 32;
    for (int row = first; row < 32; row += 8) tile[row][column] = x[32 * row + column];
    __syncthreads();
    for (int row = first; row < 32; row += 8) out[32 * row + column] = tile[column][row];
}
