# ruff: noqa: E501
"""Golden kernels: atomics of every type, width and scope, and what is built on them."""

import numpy as np
from golden import TID, F, I, U, golden
from golden_numeric import HALF, bf16, bits

UINT64, INT64 = np.uint64, np.int64
ATOMIC = "#include <cuda/atomic>"


@golden("(int* s, unsigned* u, long long* l, unsigned long long* w) {" + TID + """
    atomicMin(&s[0], i - 40); atomicMax(&s[1], i - 40); atomicMin(&u[0], 1000u - i); atomicMax(&u[1], i * 3u);
    atomicMin(&l[0], (long long)i - 40); atomicMax(&l[1], (long long)-i); atomicMin(&w[0], 5ull + i); atomicMax(&w[1], 1ull << i % 64);
    atomicAnd(&w[2], ~(1ull << i % 64)); atomicOr(&w[3], 1ull << i % 64); atomicXor(&w[4], (unsigned long long)i << 40);
    atomicAnd(&u[2], ~(3u << i % 32)); atomicOr(&u[3], i); atomicXor(&u[4], i * 7u); }""", 2, 32)  # fmt: skip
def atomic_every_integer_type(rng):
    i, full = list(range(64)), 2**64 - 1
    s, u = np.array([9, -99], I), np.array([5000, 0, 2**32 - 1, 0, 0], U)
    q, w = np.array([99, -99], INT64), np.array([99, 0, full, 0, 0], UINT64)
    wide = np.bitwise_xor.reduce(np.array(i, UINT64) << UINT64(40))
    return (s, u, q, w), {
        0: np.array([-40, 23]), 1: np.array([937, 189, 0, 63, np.bitwise_xor.reduce(np.array(i) * 7)]),
        2: np.array([-40, 0]), 3: np.array([5, 1 << 63, 0, full, wide], UINT64),
    }  # fmt: skip


@golden("(int* y) {" + TID + """ __shared__ int s[4]; if (threadIdx.x < 4) s[threadIdx.x] = 0; __syncthreads();
    atomicAdd(&y[0], 1); atomicAdd_system(&y[1], 2); atomicAdd_block(&y[2 + blockIdx.x], 3); atomicMax_block(&s[0], i);
    atomicExch_block(&s[1], 7); atomicCAS_block(&s[2], 0, 5); atomicOr_system(&y[4], 1 << threadIdx.x % 8); atomicAdd(&s[3], i);
    __syncthreads(); if (threadIdx.x < 4) atomicAdd(&y[5 + threadIdx.x], s[threadIdx.x]); }""", 2, 64)  # fmt: skip
def atomic_scopes(rng):
    return (np.zeros(9, I),), {0: np.array([128, 256, 192, 192, 255, 63 + 127, 14, 10, sum(range(128))])}


@golden("(half* x, half2* y, __nv_bfloat16* z, __nv_bfloat162* w, half* old) {" + TID + """
    old[i] = atomicAdd(&x[i % 2], __float2half(0.5f)); atomicAdd(&y[i % 2], __floats2half2_rn(1.f, i % 4));
    atomicAdd(&z[i % 2], __float2bfloat16(0.25f)); atomicAdd(&w[0], __floats2bfloat162_rn(2.f, -1.f)); }""", 2, 32, head=HALF)  # fmt: skip
def atomic_halves(rng):
    x, y = np.array([1, 2], np.float16), np.zeros(4, np.float16)
    old = np.empty(64, np.float16)
    return (x, y, bits(bf16(np.zeros(2, F))), bits(bf16(np.zeros(2, F))), old), {
        0: np.array([17, 18]), 1: np.array([32, 32, 32, 64]), 2: bits(bf16(np.array([8, 8], F))), 3: bits(bf16(np.array([128, -64], F))),
    }  # fmt: skip


@golden("(float* y, double* z) {" + TID + """ __shared__ float s; __shared__ double d; if (threadIdx.x == 0) { s = 0; d = 1; } __syncthreads();
    atomicAdd(&s, 0.5f * threadIdx.x); atomicAdd(&d, 0.25); atomicAdd_block(&d, 0.25); __syncthreads();
    if (threadIdx.x == 0) { atomicAdd(y, s); atomicAdd_system(z, d); y[1 + blockIdx.x] = atomicExch(&s, -1.f); } }""", 2, 64)  # fmt: skip
def atomic_floats_in_shared_memory(rng):
    return (np.zeros(3, F), np.zeros(1)), {0: np.array([2016, 1008, 1008], F), 1: np.array([66.0])}


@golden("(const unsigned short* x, unsigned short* most) {" + TID + """ unsigned short old = *(volatile unsigned short*)most;
    while (x[i] > old) { unsigned short seen = atomicCAS(most, old, x[i]); if (seen == old) break; old = seen; } }""", 2, 64)  # fmt: skip
def compare_and_swap_16(rng):
    x = rng.integers(0, 2**16, 128).astype(np.uint16)
    return (x, np.zeros(1, np.uint16)), {1: x.max(keepdims=True)}


@golden("(const half* x, half* sum) {" + TID + """ unsigned short* a = (unsigned short*)sum; unsigned short seen = *a, old;
    do { old = seen; seen = atomicCAS(a, old, __half_as_ushort(__hadd(__ushort_as_half(old), x[i]))); } while (seen != old); }""",
        2, 32, head=HALF)  # fmt: skip
def half_sum_by_compare_and_swap(rng):
    x = rng.integers(-9, 9, 64).astype(np.float16)
    return (x, np.zeros(1, np.float16)), {1: x.astype(F).sum(keepdims=True)}


@golden("(const double* x, double* product) {" + TID + """ unsigned long long* a = (unsigned long long*)product; unsigned long long old = *a, seen;
    while ((seen = atomicCAS(a, old, __double_as_longlong(__longlong_as_double(old) * x[i]))) != old) old = seen; }""", 2, 32)  # fmt: skip
def double_product_by_compare_and_swap(rng):
    x = rng.choice([0.5, 2.0, 4.0, 0.25], 64)
    return (x, np.ones(1)), {1: x.prod(keepdims=True)}


@golden("(unsigned char* y) {" + TID + """ unsigned* word = (unsigned*)(y + (i & 12)); unsigned shift = (i & 3) * 8, old = *word, seen;
    while ((seen = atomicCAS(word, old, (old & ~(255u << shift)) | ((old >> shift) + 1 & 255u) << shift)) != old) old = seen; }""", 2, 32)  # fmt: skip
def byte_counters_by_compare_and_swap(rng):
    return (np.zeros(16, np.uint8),), {0: np.full(16, 4)}


@golden("(int* y, float* f, unsigned long long* w) {" + TID + """
    cuda::atomic_ref<int, cuda::thread_scope_device> a(y[0]); a.fetch_add(i); a.fetch_max(5, cuda::std::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_block> b(y[1 + blockIdx.x]); b.fetch_or(1 << threadIdx.x % 8, cuda::std::memory_order_relaxed);
    cuda::atomic_ref<float, cuda::thread_scope_system> c(*f); c.fetch_add(0.5f, cuda::std::memory_order_relaxed);
    cuda::atomic_ref<unsigned long long> d(*w); unsigned long long old = d.load(); while (!d.compare_exchange_weak(old, old * 3)) {} }""", 2, 8, head=ATOMIC)  # fmt: skip
def atomic_ref_types_and_scopes(rng):
    return (np.zeros(3, I), np.zeros(1, F), np.ones(1, UINT64)), {
        0: np.array([120, 255, 255]),
        1: np.array([8.0]),
        2: np.array([3**16]),
    }


@golden("(const int* x, int* y) { __shared__ cuda::atomic<int, cuda::thread_scope_block> ready; __shared__ int value; int t = threadIdx.x;"
        "if (t == 0) ready.store(0, cuda::std::memory_order_relaxed); __syncthreads();"
        "if (t == 40) { value = x[3]; ready.store(1, cuda::std::memory_order_release); }"
        "if (t < 32) { while (ready.load(cuda::std::memory_order_acquire) == 0) {} y[t] = value; } }", 1, 64, head=ATOMIC)  # fmt: skip
def release_and_acquire(rng):
    x = rng.integers(0, 99, 8).astype(I)
    return (x, np.empty(32, I)), {1: np.full(32, x[3])}


@golden("(const float* x, volatile float* part, unsigned* count, float* y, int n) { __shared__ bool last; __shared__ float s[64]; int t = threadIdx.x;"
        "float v = 0; for (int i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64) v += x[i]; s[t] = v; __syncthreads();"
        "for (int h = 32; h; h /= 2) { if (t < h) s[t] += s[t + h]; __syncthreads(); }"
        "if (t == 0) { part[blockIdx.x] = s[0]; __threadfence(); last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1; } __syncthreads();"
        "if (last) { s[t] = t < gridDim.x ? part[t] : 0; __syncthreads(); for (int h = 32; h; h /= 2) { if (t < h) s[t] += s[t + h]; __syncthreads(); }"
        "if (t == 0) { *y = s[0]; } } }", 6, 64)  # fmt: skip
def threadfence_reduction(rng):
    x = rng.integers(-9, 9, 1000).astype(F)
    return (x, np.zeros(6, F), np.zeros(1, U), np.zeros(1, F), 1000), {2: np.zeros(1), 3: x.sum(keepdims=True)}


@golden("(int* next, const int* x, int* y, int n) { __shared__ int job; for (;;) { if (threadIdx.x == 0) job = atomicAdd(next, 32); __syncthreads();"
        "int i = job + threadIdx.x; bool done = job >= n; __syncthreads(); if (done) return; if (i < n) y[i] = x[i] * 2; } }", 3, 32)  # fmt: skip
def ticket_work_queue(rng):
    x = rng.integers(-9, 9, 200).astype(I)
    return (np.zeros(1, I), x, np.empty_like(x), 200), {2: x * 2}


@golden("(unsigned* next, unsigned* serving, int* total) { if (threadIdx.x == 0) { unsigned mine = atomicAdd(next, 1); while (atomicAdd(serving, 0) != mine) __nanosleep(20);"
        "__threadfence(); total[0] += 2; total[1] = mine; __threadfence(); atomicAdd(serving, 1); } }", 12, 32)  # fmt: skip
def ticket_lock(rng):
    return (np.zeros(1, U), np.zeros(1, U), np.zeros(2, I)), {2: np.array([24, 11])}


@golden("(int* lock, int* total) { for (bool done = false; !done;) if (atomicCAS(lock, 0, 1) == 0) { __threadfence_block(); total[0] += threadIdx.x;"
        "total[1] = total[0]; __threadfence_block(); atomicExch(lock, 0); done = true; } }", 1, 64)  # fmt: skip
def lock_within_a_block(rng):
    return (np.zeros(1, I), np.zeros(2, I)), {1: np.array([2016, 2016])}


@golden("(const int* x, int* y, int* data, int* flag) { int t = threadIdx.x, w = t / 32; if (w == 0) { data[t] = x[t] * 3; __syncwarp(); if (t == 0) { __threadfence(); atomicExch(flag, 1); } }"
        "else { if (t == 32) { while (atomicAdd(flag, 0) == 0) {} __threadfence(); } __syncwarp(); y[t - 32] = data[63 - t]; } }", 1, 64)  # fmt: skip
def flag_between_warps(rng):
    x = rng.integers(-9, 9, 32).astype(I)
    return (x, np.empty(32, I), np.zeros(32, I), np.zeros(1, I)), {1: 3 * x[::-1]}


@golden("(const int* keys, int* table, int* where) {" + TID + """ int slot = keys[i] * 7 % 128;
    for (;;) { int seen = atomicCAS(&table[slot], -1, keys[i]); if (seen == -1 || seen == keys[i]) break; slot = (slot + 1) % 128; } where[i] = slot; }""", 2, 32)  # fmt: skip
def hash_table_insert(rng):
    keys = rng.permutation(1000)[:32].astype(I)
    keys = np.tile(keys, 2)
    return (keys, np.full(128, -1, I), np.empty(64, I)), {0: keys}


@golden("(const int* x, int* y, int* count, int n) {" + TID + """ bool keep = i < n && x[i] > 0; unsigned mask = __ballot_sync(~0u, keep); int lane = threadIdx.x & 31, base;
    if (lane == 0) base = atomicAdd(count, __popc(mask)); base = __shfl_sync(~0u, base, 0);
    if (keep) y[base + __popc(mask & (1u << lane) - 1)] = 1; }""", 2, 64)  # fmt: skip
def warp_aggregated_atomic(rng):
    x = rng.integers(-3, 4, 120).astype(I)
    kept = int((x > 0).sum())
    return (x, np.zeros(128, I), np.zeros(1, I), 120), {1: (np.arange(128) < kept).astype(I), 2: np.array([kept])}
