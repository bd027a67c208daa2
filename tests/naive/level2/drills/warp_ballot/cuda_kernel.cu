// Naive: no votes: each thread has 1024 neighbours to itself, alone; and one thread adds up the counts of all others.

constexpr int EACH = 1024;

__global__ void count_positive(const float* x, int* counts, int n) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int positive = 0;
    for (int i = t * EACH; i < (t + 1) * EACH && i < n; ++i) {
        positive += x[i] > 0.0f;
    }
    counts[t] = positive;
}

__global__ void add_up(int* counts, int* count, int threads) {
    int total = 0;
    for (int t = 0; t < threads; ++t) {
        const int mine = counts[t];
        counts[t] = total;
        total += mine;
    }
    count[0] = total;
}

__global__ void compact(const float* x, const int* before, const int* count, float* out, int n) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int rank = before[t];
    for (int i = t * EACH; i < (t + 1) * EACH && i < n; ++i) {
        if (x[i] > 0.0f) {
            out[rank] = x[i];
            ++rank;
        } else {
            out[count[0] + i - rank] = 0.0f;
        }
    }
}
