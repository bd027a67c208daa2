# ruff: noqa: E501
"""Golden kernels: warps, atomics, synchronisation, cooperative groups, asynchronous copies."""

import numpy as np
from golden import TID, F, I, U, golden

CG = "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;"


@golden("(const float* x, float* y) { float v = x[threadIdx.x];"
        "for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o); if (threadIdx.x == 0) *y = v; }", tolerance=1e-6)  # fmt: skip
def shuffle_down_sum(rng):
    x = rng.integers(-50, 50, 32).astype(F)
    return (x, np.empty(1, F)), {1: x.sum(keepdims=True)}


@golden("(int* y) { int t = threadIdx.x; y[t] = __shfl_xor_sync(~0u, t, 5); y[t + 32] = __shfl_up_sync(~0u, t, 3);"
        "y[t + 64] = __shfl_sync(~0u, t, t / 2, 8); y[t + 96] = __shfl_down_sync(~0u, t, 2, 4); }")  # fmt: skip
def shuffle_modes(rng):
    t = np.arange(32)
    up, down = np.where(t >= 3, t - 3, t), np.where(t % 4 < 2, t + 2, t)
    return (np.empty(128, I),), {0: np.concatenate([t ^ 5, up, t // 8 * 8 + (t // 2) % 8, down])}


@golden("(int* y) { int t = threadIdx.x; unsigned m = t < 20 ? 0x000fffffu : 0xfff00000u;"
        "int v = t < 20 ? __shfl_sync(m, t, 7) : __shfl_sync(m, t, 25); y[t] = v; }")  # fmt: skip
def shuffle_in_branches(rng):
    return (np.empty(32, I),), {0: np.where(np.arange(32) < 20, 7, 25)}


@golden("(double* y) { double v = threadIdx.x * 1.5; y[threadIdx.x] = __shfl_xor_sync(~0u, v, 1); }")
def shuffle_double(rng):
    return (np.empty(32),), {0: (np.arange(32) ^ 1) * 1.5}


@golden("(unsigned* y) { int t = threadIdx.x; y[t] = __ballot_sync(~0u, t % 3 == 0) + __any_sync(~0u, t == 40) * 2 +"
        "__all_sync(~0u, t < 64); y[t + 64] = __popc(__activemask()); }", 1, 64)  # fmt: skip
def votes(rng):
    t = np.arange(64)
    ballots = [int(sum(1 << (i % 32) for i in range(w * 32, w * 32 + 32) if i % 3 == 0)) for w in (0, 1)]
    first = np.array(ballots, U)[t // 32] + np.array([1, 3], U)[t // 32]
    return (np.empty(128, U),), {0: np.concatenate([first, np.full(64, 32, U)])}


@golden("(const int* x, unsigned* y) { int t = threadIdx.x, p; y[t] = __match_any_sync(~0u, x[t]);"
        "y[t + 32] = __match_all_sync(~0u, 3, &p) + p; }")  # fmt: skip
def match(rng):
    x = rng.integers(0, 4, 32).astype(I)
    any_ = np.array([sum(1 << j for j in range(32) if x[j] == x[i]) for i in range(32)], U)
    return (x, np.empty(64, U)), {1: np.concatenate([any_, np.zeros(32, U)])}


@golden("(const int* x, int* y) { int t = threadIdx.x; y[t] = __reduce_add_sync(~0u, x[t]);"
        "y[t + 32] = __reduce_min_sync(~0u, x[t]); y[t + 64] = __reduce_or_sync(~0u, (unsigned)x[t]); }")  # fmt: skip
def redux(rng):
    x = rng.integers(-99, 99, 32).astype(I)
    parts = [x.sum(), x.min(), np.bitwise_or.reduce(x)]
    return (x, np.empty(96, I)), {1: np.repeat(parts, 32)}


@golden(
    """(const float* x, float* y, int n) { __shared__ float s[8]; float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) { v = threadIdx.x < 8 ? s[threadIdx.x] : 0; for (int o = 4; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
        if (threadIdx.x == 0) atomicAdd(y, v); } }""",
    4,
    256,
    tolerance=1e-5,
)
def block_reduce(rng):
    x = rng.integers(-50, 50, 3000).astype(F)
    return (x, np.zeros(1, F), 3000), {1: x.sum(keepdims=True)}


@golden("(const int* x, int* bins, int n) { __shared__ int s[16]; if (threadIdx.x < 16) s[threadIdx.x] = 0; __syncthreads();"
        + TID + "if (i < n) atomicAdd(&s[x[i]], 1); __syncthreads(); if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]); }",
        8, 128)  # fmt: skip
def histogram(rng):
    x = rng.integers(0, 16, 1000).astype(I)
    return (x, np.zeros(16, I), 1000), {1: np.bincount(x, minlength=16)}


@golden(
    "(int* y, unsigned* u, unsigned long long* w) {"
    + TID
    + """
    atomicMax(&y[0], i); atomicMin(&y[1], -i); atomicAnd(&y[2], ~(1 << (i & 31))); atomicOr(&y[3], 1 << (i & 31));
    atomicXor(&y[4], i); atomicSub(&y[5], 2); atomicInc(&u[0], 9u); atomicDec(&u[1], 9u); atomicAdd(&w[0], 1ull << 33);
    atomicMax(&w[1], (unsigned long long)i << 40); }""",
    2,
    32,
)
def atomic_operations(rng):
    i = np.arange(64)
    y = np.array([63, -63, 0, -1, np.bitwise_xor.reduce(i), -128], I)
    start = np.array([0, 0, -1, 0, 0, 0], I)
    u, w = np.array([64 % 10, 0], U), np.array([64 << 33, 63 << 40], np.uint64)
    value = 0
    for _ in range(64):
        value = 9 if value == 0 or value > 9 else value - 1
    u[1] = value
    return (start, np.zeros(2, U), np.zeros(2, np.uint64)), {0: y, 1: u, 2: w}


@golden("(float* y, double* z) { atomicAdd(y, 1.5f); atomicAdd(z, 0.25); atomicExch(y + 1, 3.0f); }", 3, 64)
def atomic_floats(rng):
    return (np.zeros(2, F), np.zeros(1)), {0: np.array([288, 3], F), 1: np.array([48.0])}


@golden("(float* m, const float* x, int n) {" + TID + """ if (i >= n) return;
    unsigned* a = (unsigned*)m; unsigned old = *(volatile unsigned*)a;
    while (x[i] > __uint_as_float(old)) { unsigned seen = atomicCAS(a, old, __float_as_uint(x[i])); if (seen == old) break; old = seen; } }""",
    2, 64)  # fmt: skip
def atomic_max_by_cas(rng):
    x = rng.random(100).astype(F)
    return (np.zeros(1, F), x, 100), {0: x.max(keepdims=True)}


@golden("(int* lock, int* total) { for (int done = 0; !done;) if (atomicCAS(lock, 0, 1) == 0) { __threadfence();"
        "*(volatile int*)total = *(volatile int*)total + 1; __threadfence(); atomicExch(lock, 0); done = 1; } }", 2, 32)  # fmt: skip
def spin_lock(rng):
    return (np.zeros(1, I), np.zeros(1, I)), {1: np.array([64])}


@golden("(int* lock, int* total) { if (threadIdx.x == 0) { while (atomicCAS(lock, 0, 1)) {} __threadfence(); *total += blockIdx.x;"
        "__threadfence(); atomicExch(lock, 0); } }", 20, 32)  # fmt: skip
def spin_lock_plain_data(rng):
    return (np.zeros(1, I), np.zeros(1, I)), {1: np.array([190])}


@golden(
    """(const float* x, float* part, unsigned* count, float* y) { __shared__ bool last; int b = blockIdx.x;
    if (threadIdx.x == 0) { part[b] = x[b] * 2; __threadfence(); last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1; }
    __syncthreads();
    if (last && threadIdx.x == 0) { float s = 0; for (int i = 0; i < gridDim.x; i++) s += part[i]; *y = s; } }""",
    8,
    32,
)
def ticket_last_block(rng):
    x = rng.integers(-9, 9, 8).astype(F)
    return (x, np.zeros(8, F), np.zeros(1, U), np.zeros(1, F)), {3: 2 * x.sum(keepdims=True)}


@golden(
    """(const int* x, volatile int* flag, volatile int* sum, int* y) { int b = blockIdx.x;
    if (threadIdx.x == 0) { int before = 0; if (b > 0) { while (flag[b - 1] == 0) {} before = sum[b - 1]; }
        sum[b] = before + x[b]; __threadfence(); flag[b] = 1; y[b] = before; } }""",
    10,
    32,
)
def chained_scan(rng):
    x = rng.integers(0, 9, 10).astype(I)
    return (x, np.zeros(10, I), np.zeros(10, I), np.zeros(10, I)), {3: np.cumsum(x) - x}


@golden("(int* y) { int t = threadIdx.x; y[t] = __syncthreads_count(t % 3 == 0); y[t + 96] = __syncthreads_and(t < 96) +"
        "2 * __syncthreads_or(t == 200); }", 1, 96)  # fmt: skip
def barrier_reductions(rng):
    return (np.empty(192, I),), {0: np.concatenate([np.full(96, 32), np.full(96, 1)])}


@golden(
    """(int* y) { __shared__ int s[64]; int t = threadIdx.x;
    if (t < 64) { s[t] = t; asm volatile("bar.arrive 1, 128;"); }
    else { asm volatile("bar.sync 1, 128;"); y[t - 64] = s[127 - t]; } }""",
    1,
    128,
)
def named_barrier(rng):
    return (np.empty(64, I),), {0: np.arange(64)[::-1]}


@golden("(const float* x, float* y) { auto b = cg::this_thread_block(); auto t = cg::tiled_partition<16>(b);"
        "float v = x[b.thread_rank()]; v = cg::reduce(t, v, cg::plus<float>()); b.sync(); if (t.thread_rank() == 0) y[b.thread_rank() / 16] = v; }",
        1, 64, head=CG, tolerance=1e-6)  # fmt: skip
def cooperative_tiles(rng):
    x = rng.integers(-9, 9, 64).astype(F)
    return (x, np.empty(4, F)), {1: x.reshape(4, 16).sum(1)}


@golden("(int* y) { auto g = cg::coalesced_threads(); if (threadIdx.x & 1) { auto h = cg::coalesced_threads();"
        "y[threadIdx.x] = h.thread_rank() + 100 * h.size(); } else y[threadIdx.x] = g.size(); }", head=CG)  # fmt: skip
def coalesced_group(rng):
    t = np.arange(32)
    return (np.empty(32, I),), {0: np.where(t & 1, t // 2 + 1600, 32)}


@golden(
    """(const float* x, float* y) { __shared__ __align__(16) float s[2][128]; int t = threadIdx.x; const int n = 8; float acc = 0;
    auto copy = [&](int c) { unsigned d = (unsigned)__cvta_generic_to_shared(&s[c & 1][t * 4]);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\\ncp.async.commit_group;" ::"r"(d), "l"(x + c * 128 + t * 4)); };
    copy(0);
    for (int c = 0; c < n; c++) { if (c + 1 < n) { copy(c + 1); asm volatile("cp.async.wait_group 1;"); } else asm volatile("cp.async.wait_group 0;");
        __syncthreads(); for (int j = 0; j < 4; j++) acc += s[c & 1][j * 32 + t]; __syncthreads(); }
    y[t] = acc; }""",
    1,
    32,
    tolerance=1e-6,
)
def async_copy_pipeline(rng):
    x = rng.integers(-9, 9, 1024).astype(F)
    return (x, np.empty(32, F)), {1: x.reshape(32, 32).sum(0)}


@golden("(const float* x, float* y, int n) { __shared__ float s[64]; int t = threadIdx.x; __pipeline_memcpy_async(&s[t], &x[t < n ? t : 0],"
        "4, t < n ? 0 : 4); __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads(); y[t] = s[63 - t]; }", 1, 64,
        head="#include <cuda_pipeline.h>")  # fmt: skip
def async_copy_zero_fill(rng):
    x = rng.standard_normal(50).astype(F)
    return (x, np.empty(64, F), 50), {1: np.pad(x, (0, 14))[::-1]}


@golden("(volatile int* y) { __shared__ int s[64]; int t = threadIdx.x; s[t] = t; __syncwarp(); int v = s[t ^ 1]; __syncwarp();"
        "s[t] = v + 1; __syncwarp(); y[t] = s[t ^ 2]; }", 1, 64)  # fmt: skip
def syncwarp_exchange(rng):
    t = np.arange(64)
    return (np.empty(64, I),), {0: (t ^ 3) + 1}


@golden("(int* x) { int t = threadIdx.x; int* p = x + blockIdx.x * 64; for (int k = 2; k <= 64; k *= 2) for (int j = k / 2; j; j /= 2) { int o = t ^ j;"
        "if (o > t) { int a = p[t], b = p[o]; if ((a > b) == ((t & k) == 0)) { p[t] = b; p[o] = a; } } __syncthreads(); } }", 3, 64)  # fmt: skip
def bitonic_sort_in_global_memory(rng):
    x = rng.integers(-99, 99, (3, 64)).astype(I)
    return (x,), {0: np.sort(x, 1)}


@golden("(int* a, int* b) { int t = threadIdx.x; for (int d = 1; d < 64; d *= 2) { int v = a[t] + (t >= d ? a[t - d] : 0); __syncthreads(); a[t] = v; __syncthreads(); }"
        "b[t ^ 1] = t; __syncwarp(); int v = b[t]; __syncwarp(); b[t ^ 2] = v; }", 1, 64)  # fmt: skip
def scan_and_exchange_in_global_memory(rng):
    a, t = rng.integers(-9, 9, 64).astype(I), np.arange(64)
    return (a, np.zeros(64, I)), {0: np.cumsum(a), 1: t ^ 3}


@golden(
    "(const int* x, int* y, int* any) { int i = threadIdx.x; if (x[i] > 5) *any = 1; y[0] = 7; y[i + 1] = y[0] + 1; __syncthreads(); if (*any) y[i + 65] = i; }",
    1,
    64,
)
def same_value_from_every_thread(rng):
    x = rng.integers(0, 9, 64).astype(I)
    return (x, np.zeros(129, I), np.zeros(1, I)), {
        1: np.concatenate([[7], np.full(64, 8), np.arange(64)]),
        2: np.ones(1),
    }


@golden("(int* x, const int* n) { int i = blockIdx.x * 64 + threadIdx.x; int4* p = (int4*)x; int4 v = p[i]; v.x += v.w; __syncthreads(); p[i] = v; __syncthreads();"
        "if (threadIdx.x < 32) { int* q = x + blockIdx.x * 256; for (int j = threadIdx.x; j < 256; j += 32) q[j] += q[j] > *n ? 1 : 0; } }", 2, 64)  # fmt: skip
def wide_and_narrow_accesses(rng):
    x = rng.integers(-9, 9, (128, 4)).astype(I)
    y = x.copy()
    y[:, 0] += x[:, 3]
    return (x, np.zeros(1, I)), {0: y + (y > 0)}


@golden(
    """(const float* x, float* y) { __shared__ float s[64]; int t = threadIdx.x; s[t] = x[t]; __syncthreads();
    if (t < 32) { float v = s[t] + s[t + 32]; __syncwarp(); s[t] = v; __syncwarp();
      for (int o = 16; o; o >>= 1) { v = t < o ? s[t] + s[t + o] : 0; __syncwarp(); if (t < o) s[t] = v; __syncwarp(); }
      if (t == 0) *y = s[0]; } }""",
    1,
    64,
    tolerance=1e-6,
)
def warp_tree_reduction(rng):
    x = rng.integers(-50, 50, 64).astype(F)
    return (x, np.empty(1, F)), {1: x.sum(keepdims=True)}


@golden("(int* y, int n) { __shared__ int count; if (threadIdx.x == 0) count = 0; __syncthreads();" + TID +
        "if (i < n && i % 3 == 0) y[atomicAdd(&count, 1)] = 1; }", 1, 128)  # fmt: skip
def compaction(rng):
    expected = np.zeros(100, I)
    expected[:34] = 1
    return (np.zeros(100, I), 100), {0: expected}


@golden("(int* flag, int* y) { if (threadIdx.x == 0) flag[0] = 1; y[blockIdx.x * 32 + threadIdx.x] = 2; }", 4, 32)
def same_value_from_every_block(rng):
    return (np.zeros(1, I), np.zeros(128, I)), {0: np.ones(1), 1: np.full(128, 2)}


@golden(
    """(cuda::std::uint32_t* y) { cuda::atomic_ref<unsigned, cuda::thread_scope_device> a(*y); a.fetch_add(2, cuda::std::memory_order_relaxed);
    a.fetch_add(1, cuda::std::memory_order_acq_rel); }""",
    2,
    32,
    head="#include <cuda/atomic>\n#include <cuda/std/cstdint>",
)
def atomic_ref(rng):
    return (np.zeros(1, U),), {0: np.array([192])}


@golden("(const float* x, float* y) { __shared__ float s; s = x[threadIdx.x % 3] - x[1]; y[0] = s; __syncthreads(); y[1 + threadIdx.x] = s; }", 1, 64)  # fmt: skip
def same_nan_from_every_thread(rng):
    """inf - inf, and what a bf16 NaN or a single one becomes: all the same NaN on hardware, but not in NumPy."""
    x = np.array([0x7FC00000, 0x7F800000, 0xFFFF0000], np.uint32).view(F)
    return (x, np.zeros(65, F)), {1: np.full(65, np.nan)}
