// Matrix product: out = a b for row-major a (m x k), b (k x n), out (m x n), in float32 throughout.
//
// Idea   three tiles, one inside the other: a block makes 128 x 256 elements out of shared memory, a warp 64 x 64 of
//        them, a thread 16 x 8 in registers, where 24 words from shared memory feed 128 multiply-adds. Nobody waits:
//        while one tile is multiplied, two more are on their way from global memory (cp.async), and while the words of
//        one k are multiplied, those of the next are on their way from shared memory.
// Bytes  4 (m k + k n + m n) at least once; each element of a is loaded n / 256 times, each of b m / 128 times
// Flops  2 m n k
// Bound  compute: the float32 units. Loads, addresses and barriers are 10 of 100 instructions.

constexpr int BLOCK_M = 128;  // the tile of out that a block makes
constexpr int BLOCK_N = 256;
constexpr int BLOCK_K = 16;   // how far it goes along k at a time
constexpr int THREADS = 256;

// SOLUTION: write what copies tiles to shared memory, what fetches words from there, and what multiplies them
constexpr int STAGES = 3;  // tiles in shared memory: one that is multiplied, two that are on their way

// A warp makes 64 x 64 elements: two warps down the block's tile, four along it. Of these a lane makes 16 x 8, in pieces
// of 4 x 4 that are 16 rows and 32 columns apart: then eight lanes side by side read 128 neighbouring bytes.
constexpr int WARP_TILE = 64;
constexpr int ROW_STEP = 16;
constexpr int COL_STEP = 32;
constexpr int ROWS = 4 * WARP_TILE / ROW_STEP;
constexpr int COLS = 4 * WARP_TILE / COL_STEP;

// The tile of a lies here with k as its rows, so that four of a's rows are one float4. Four floats of padding spread the
// 16 x 2 elements that a warp writes at once over 16 banks; without it they would lie in two.
struct Stage {
    float a[BLOCK_K][BLOCK_M + 4];
    float b[BLOCK_K][BLOCK_N];
};

// Starts to copy BYTES (4 or 16), or to fill in as many zeros, and does not wait.
template <int BYTES>
__device__ void copy_async(float* shared, const float* global, bool is_inside) {
    const auto target = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    const int wanted = is_inside ? BYTES : 0;
    if constexpr (BYTES == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(global), "r"(wanted));
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(target), "l"(global), "r"(wanted));
    }
}

// One thread's share of the tiles, which it copies one after the other along k.
template <bool CHECKED>
struct Loader {
    // Of a, a thread copies one element of every 16th row: sixteen threads together two sectors, 64 bytes along k. Of b it
    // copies four neighbours, or single elements where rows may begin anywhere.
    static constexpr int A_ROWS = THREADS / BLOCK_K;
    static constexpr int WIDTH = CHECKED ? 1 : 4;
    static constexpr int ACROSS = BLOCK_N / WIDTH;
    static constexpr int B_ROWS = THREADS / ACROSS;

    const float* a;  // this thread's first element of the next tile
    const float* b;
    int m, n, k;  // what is left of the matrices from there on
    long long a_step, b_step, b_tile;

    __device__ Loader(const float* a, const float* b, int top, int left, int m, int n, int k)
        : a(a + static_cast<long long>(top + threadIdx.x / BLOCK_K) * k + threadIdx.x % BLOCK_K),
          b(b + static_cast<long long>(threadIdx.x / ACROSS) * n + left + threadIdx.x % ACROSS * WIDTH),
          m(m - top - threadIdx.x / BLOCK_K), n(n - left - threadIdx.x % ACROSS * WIDTH), k(k),
          a_step(static_cast<long long>(A_ROWS) * k), b_step(static_cast<long long>(B_ROWS) * n),
          b_tile(static_cast<long long>(BLOCK_K) * n) {}

    __device__ void start(Stage& stage) {
        const int x = threadIdx.x % BLOCK_K;
        const int y = threadIdx.x / BLOCK_K;
#pragma unroll
        for (int r = 0; r < BLOCK_M / A_ROWS; ++r) {
            const bool is_inside = !CHECKED || (r * A_ROWS < m && x < k);
            copy_async<4>(&stage.a[x][y + r * A_ROWS], is_inside ? a + r * a_step : a, is_inside);
        }
        const int i = threadIdx.x / ACROSS;
        const int col = threadIdx.x % ACROSS * WIDTH;
#pragma unroll
        for (int r = 0; r < BLOCK_K / B_ROWS; ++r) {
            const bool is_inside = !CHECKED || (i + r * B_ROWS < k && 0 < n);
            copy_async<4 * WIDTH>(&stage.b[i + r * B_ROWS][col], is_inside ? b + r * b_step : b, is_inside);
        }
        a += BLOCK_K;
        b += b_tile;
        k -= BLOCK_K;
    }
};

struct Words {
    float a[ROWS];
    float b[COLS];

    // From row i of a stage: those that the thread with this corner in the block's tile needs.
    __device__ void fetch(const Stage& stage, int i, int row, int col) {
#pragma unroll
        for (int r = 0; r < ROWS; r += 4) {
            *reinterpret_cast<float4*>(&a[r]) = *reinterpret_cast<const float4*>(&stage.a[i][row + r / 4 * ROW_STEP]);
        }
#pragma unroll
        for (int c = 0; c < COLS; c += 4) {
            *reinterpret_cast<float4*>(&b[c]) = *reinterpret_cast<const float4*>(&stage.b[i][col + c / 4 * COL_STEP]);
        }
    }
};

__device__ void multiply(const Words& words, float (&sums)[ROWS][COLS]) {
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
#pragma unroll
        for (int i = 0; i < COLS; ++i) {
            // Every other row backwards: then each multiply-add shares a word with the one before, and fetches only two
            // from the registers. Three would often lie in the same of their two banks, and cost a cycle more.
            const int c = r % 2 == 0 ? i : COLS - 1 - i;
            sums[r][c] += words.a[r] * words.b[c];
        }
    }
}

// For all but the newest `groups` groups of this thread's copies; then for everybody else's.
template <int GROUPS>
__device__ void wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(GROUPS));
    __syncthreads();
}
// END SOLUTION

// CHECKED: whether a tile may stick out of the matrices; if not, no index has to be held against m, n and k.
template <bool CHECKED>
__global__ void __launch_bounds__(THREADS)
    matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int m, int n, int k) {
    // SOLUTION: keep STAGES - 1 tiles on their way while one is multiplied; then store this thread's part of out
    extern __shared__ float4 memory[];
    Stage* stages = reinterpret_cast<Stage*>(memory);
    const int top = blockIdx.y * BLOCK_M;
    const int left = blockIdx.x * BLOCK_N;
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int row = warp / 4 * WARP_TILE + lane / 8 * 4;
    const int col = warp % 4 * WARP_TILE + lane % 8 * 4;

    // A group of copies is closed for every tile, even where there is none any more: then it is always the newest
    // STAGES - 2 groups that may be missing when the next tile is wanted.
    Loader<CHECKED> loader(a, b, top, left, m, n, k);
    for (int stage = 0; stage < STAGES - 1; ++stage) {
        if (stage * BLOCK_K < k) {
            loader.start(stages[stage]);
        }
        asm volatile("cp.async.commit_group;");
    }

    float sums[ROWS][COLS] = {};
    Words words[2];         // those that are multiplied, and those of the next k
    int now = 0;            // the stage that words come from
    int next = STAGES - 1;  // the stage that is filled
    wait<STAGES - 2>();
    words[0].fetch(stages[now], 0, row, col);
#pragma unroll 1
    for (int start = 0; start < k; start += BLOCK_K) {
#pragma unroll
        for (int i = 0; i < BLOCK_K; ++i) {
            if (i < BLOCK_K - 1) {
                words[(i + 1) % 2].fetch(stages[now], i + 1, row, col);
            } else if (!CHECKED || start + BLOCK_K < k) {
                // The next stage has arrived; and nobody needs the present one any more, which is filled next. After
                // the last tile these are words of an older one, for nobody: a branch would cost more, since loads
                // are only moved among the multiply-adds where they are certain to happen.
                wait<STAGES - 2>();
                now = now + 1 == STAGES ? 0 : now + 1;
                words[(i + 1) % 2].fetch(stages[now], 0, row, col);
            }
            if (i == 0) {
                if (start + (STAGES - 1) * BLOCK_K < k) {
                    loader.start(stages[next]);
                }
                asm volatile("cp.async.commit_group;");
                next = next + 1 == STAGES ? 0 : next + 1;
            }
            multiply(words[i % 2], sums);
        }
    }

#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const int y = top + row + r / 4 * ROW_STEP + r % 4;
#pragma unroll
        for (int c = 0; c < COLS; c += 4) {
            const int x = left + col + c / 4 * COL_STEP;
            float* to = out + static_cast<long long>(y) * n + x;
            if constexpr (CHECKED) {
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    if (y < m && x + i < n) {
                        to[i] = sums[r][c + i];
                    }
                }
            } else {
                *reinterpret_cast<float4*>(to) = *reinterpret_cast<float4*>(&sums[r][c]);
            }
        }
    }
    // END SOLUTION
}
