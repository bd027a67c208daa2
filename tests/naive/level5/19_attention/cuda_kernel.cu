// Naive: a thread for each score, each row and each output: no tiles, so that every value comes from memory anew.

#include <cuda_fp16.h>

__device__ float to_float(float x) { return x; }
__device__ float to_float(half x) { return __half2float(x); }
__device__ void store(float* to, float x) { *to = x; }
__device__ void store(half* to, float x) { *to = __float2half(x); }

template <typename T>
__global__ void scores_of(const T* q, const T* k, float* scores, int seq, int dim) {
    const int query = blockIdx.x * blockDim.x + threadIdx.x;
    const int key = blockIdx.y;
    const long long head = blockIdx.z;
    if (query < seq) {
        float sum = 0.0f;
        for (int d = 0; d < dim; ++d) {
            sum += to_float(q[(head * seq + query) * dim + d]) * to_float(k[(head * seq + key) * dim + d]);
        }
        scores[(head * seq + query) * seq + key] = sum / sqrtf(dim);
    }
}

__global__ void softmax_rows(float* scores, long long rows, int seq) {
    const long long row = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (row < rows) {
        float largest = scores[row * seq];
        for (int key = 1; key < seq; ++key) {
            largest = fmaxf(largest, scores[row * seq + key]);
        }
        float sum = 0.0f;
        for (int key = 0; key < seq; ++key) {
            sum += expf(scores[row * seq + key] - largest);
        }
        for (int key = 0; key < seq; ++key) {
            scores[row * seq + key] = expf(scores[row * seq + key] - largest) / sum;
        }
    }
}

template <typename T>
__global__ void weighted_sum(const float* weights, const T* v, T* out, int seq, int dim) {
    const int query = blockIdx.x * blockDim.x + threadIdx.x;
    const int d = blockIdx.y;
    const long long head = blockIdx.z;
    if (query < seq) {
        float sum = 0.0f;
        for (int key = 0; key < seq; ++key) {
            sum += weights[(head * seq + query) * seq + key] * to_float(v[(head * seq + key) * dim + d]);
        }
        store(out + (head * seq + query) * dim + d, sum);
    }
}
