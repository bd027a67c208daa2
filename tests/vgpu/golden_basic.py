# ruff: noqa: E501
"""Golden kernels: indexing, control flow, memory spaces, vector access, functions, templates."""

import numpy as np
from golden import TID, F, I, U, golden


@golden("(const float* x, float* y, int n) {" + TID + "if (i < n) y[i] = 2.0f * x[i]; }", 4, 128)
def scale(rng):
    x = rng.standard_normal(500).astype(F)
    return (x, np.empty_like(x), 500), {1: 2 * x}


@golden(
    """(const float* x, float* y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] + 1.0f; }""",
    3,
    64,
)
def grid_stride(rng):
    x = rng.standard_normal(1000).astype(F)
    return (x, np.empty_like(x), 1000), {1: x + F(1)}


@golden(
    """(const float* a, float* b, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < cols) b[c * rows + r] = a[r * cols + c]; }""",
    (3, 3),
    (16, 16),
)
def transpose_naive(rng):
    a = rng.standard_normal((37, 41)).astype(F)
    return (a, np.empty((41, 37), F), 37, 41), {1: a.T}


@golden("""(const float* a, float* b, int n) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) if (x < n && y + j < n) b[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j]; }""",
    (2, 2), (32, 8))  # fmt: skip
def transpose_tiled(rng):
    a = rng.standard_normal((50, 50)).astype(F)
    return (a, np.empty_like(a), 50), {1: a.T}


@golden(
    """(const float4* x, float4* y, int n) {"""
    + TID
    + """
    if (i < n) { float4 v = x[i]; v.x += v.y; v.z *= v.w; y[i] = v; } }""",
    1,
    64,
)
def float4_access(rng):
    x = rng.standard_normal((50, 4)).astype(F)
    y = x.copy()
    y[:, 0] += x[:, 1]
    y[:, 2] *= x[:, 3]
    return (x, np.empty_like(x), 50), {1: y}


@golden("(const short2* x, int* y) {" + TID + "short2 v = x[i]; y[i] = v.x * v.y; }")
def short2_access(rng):
    x = rng.integers(-30000, 30000, (32, 2)).astype(np.int16)
    return (x, np.empty(32, I)), {1: x[:, 0].astype(I) * x[:, 1]}


@golden(
    "(const unsigned char* x, signed char* y, int n) {" + TID + "if (i < n) y[i] = (signed char)(x[i] - 128); }",
    1,
    64,
)
def bytes_access(rng):
    x = rng.integers(0, 256, 50).astype(np.uint8)
    return (x, np.empty(50, np.int8), 50), {1: (x.astype(I) - 128).astype(np.int8)}


@golden("(const double* x, double* y) {" + TID + "y[i] = x[i] * x[i] - 1.0 / x[i]; }", 2, 32, tolerance=1e-15)
def doubles(rng):
    x = rng.standard_normal(64)
    return (x, np.empty(64)), {1: x * x - 1 / x}


@golden("(const long long* x, long long* y) {" + TID + "y[i] = (x[i] * 3 - 7) / 5 + x[i] % 11; }")
def int64_arithmetic(rng):
    x = rng.integers(-(2**50), 2**50, 32)
    quotient = np.array([int(abs(v) // 5) * (1 if v >= 0 else -1) for v in (x * 3 - 7).tolist()])
    return (x, np.empty(32, np.int64)), {
        1: quotient + np.array([abs(v) % 11 * (1 if v >= 0 else -1) for v in x.tolist()])
    }


@golden(
    "(int* y) {"
    + TID
    + """
    int steps = 0; for (unsigned n = i + 1; n != 1; n = n & 1 ? 3 * n + 1 : n / 2) steps++; y[i] = steps; }""",
    2,
    64,
)
def collatz(rng):
    def steps(n):
        count = 0
        while n != 1:
            n, count = (3 * n + 1 if n & 1 else n // 2), count + 1
        return count

    return (np.empty(128, I),), {0: np.array([steps(n + 1) for n in range(128)])}


@golden(
    "(const int* x, int* y) {"
    + TID
    + """
    switch (x[i]) { case 0: y[i] = 10; break; case 1: y[i] = 21; break; case 2: y[i] = 32; break; case 3: y[i] = 43; break;
      case 4: y[i] = 54; break; case 5: y[i] = 65; break; default: y[i] = -1; } }""",
    1,
    64,
)
def switch_cases(rng):
    x = rng.integers(0, 8, 64).astype(I)
    return (x, np.empty(64, I)), {1: np.where(x < 6, 10 + 11 * x, -1)}


@golden(
    "(int* y) { int a[8]; for (int j = 0; j < 8; j++) a[j] = j * j; int s = 0;"
    + TID
    + """
    for (int j = 0; j < 8; j++) s += a[(i + j) & 7] * j; y[i] = s; }"""
)
def local_array(rng):
    return (np.empty(32, I),), {0: np.array([sum(((i + j) & 7) ** 2 * j for j in range(8)) for i in range(32)])}


@golden("(int* y) {" + TID + "y[i] = fib(i); }", 1, 16,
        head="__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }")  # fmt: skip
def recursion(rng):
    fib = [0, 1]
    while len(fib) < 16:
        fib.append(fib[-1] + fib[-2])
    return (np.empty(16, I),), {0: np.array(fib)}


@golden(
    "(float* y) {" + TID + "Pair p = make(i, 2.0f); y[i] = total(p); }",
    1,
    32,
    head="""
struct Pair { float a, b; int n; };
__device__ __noinline__ Pair make(int n, float b) { Pair p; p.a = n * 0.5f; p.b = b; p.n = n; return p; }
__device__ __noinline__ float total(Pair p) { return p.a + p.b + p.n; }""",
)
def struct_by_value(rng):
    i = np.arange(32, dtype=F)
    return (np.empty(32, F),), {0: i * F(0.5) + F(2) + i}


@golden("(float* y, Config c) {" + TID + "y[i] = c.w[i & 3] * c.scale + c.bias; }", 1, 32,
        head="struct Config { float w[4]; int bias; double scale; };")  # fmt: skip
def struct_parameter(rng):
    config = np.array([1, 2, 3, 4], F).tobytes() + np.array([7], I).tobytes() + b"\0" * 4 + np.array([0.5]).tobytes()
    config = np.array([1, 2, 3, 4], F).tobytes() + np.array([7, 0], I).tobytes() + np.array([0.5]).tobytes()
    expected = (np.array([1, 2, 3, 4] * 8) * 0.5 + 7).astype(F)
    return (np.empty(32, F), config), {0: expected}


@golden("(float* y) {" + TID + "y[i] = table[i & 3] + shift; }", 1, 32,
        head="__constant__ float table[4] = {1, 2, 3, 4}; __device__ float shift = 0.5f;")  # fmt: skip
def constant_and_device_variables(rng):
    return (np.empty(32, F),), {0: np.array([1.5, 2.5, 3.5, 4.5] * 8, F)}


@golden("(const int* x, int* y) { extern __shared__ int s[]; int t = threadIdx.x; s[t] = x[t]; __syncthreads(); "
        "y[t] = s[blockDim.x - 1 - t]; }", 1, 100, smem=400)  # fmt: skip
def dynamic_shared_reverse(rng):
    x = rng.integers(0, 99, 100).astype(I)
    return (x, np.empty_like(x)), {1: x[::-1]}


@golden(
    "(const float* x, float* y) { " + TID + "y[i] = sum<float, 4>(x + 4 * i); }",
    1,
    32,
    head="""
template <typename T, int N> __device__ T sum(const T* p) { T s = 0; for (int j = 0; j < N; j++) s += p[j]; return s; }""",
)
def template_function(rng):
    x = rng.integers(-50, 50, (32, 4)).astype(F)
    return (x, np.empty(32, F)), {1: x.sum(1)}


@golden("(int* y, int n) { if (blockIdx.x == 1) return; " + TID + "if (i >= n) return; y[i] = i; }", 3, 32)
def early_exit(rng):
    expected = np.full(96, -1, I)
    expected[:32], expected[64:80] = np.arange(32), np.arange(64, 80)
    return (np.full(96, -1, I), 80), {0: expected}


@golden(
    """(int* y) { int x = threadIdx.x, s = 0;
    for (int j = 0; j < x; j++) { if (j % 3 == 0) continue; if (j > 20) break; s += j; } y[x] = s; }""",
    1,
    64,
)
def continue_and_break(rng):
    return (np.empty(64, I),), {0: np.array([sum(j for j in range(min(x, 21)) if j % 3) for x in range(64)])}


@golden(
    """(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float sa[16][16], sb[16][16];
    int r = blockIdx.y * 16 + threadIdx.y, q = blockIdx.x * 16 + threadIdx.x; float acc = 0;
    for (int t = 0; t < k; t += 16) {
        sa[threadIdx.y][threadIdx.x] = r < m && t + threadIdx.x < k ? a[r * k + t + threadIdx.x] : 0;
        sb[threadIdx.y][threadIdx.x] = t + threadIdx.y < k && q < n ? b[(t + threadIdx.y) * n + q] : 0;
        __syncthreads();
        for (int j = 0; j < 16; j++) acc += sa[threadIdx.y][j] * sb[j][threadIdx.x];
        __syncthreads();
    }
    if (r < m && q < n) c[r * n + q] = acc; }""",
    (3, 2),
    (16, 16),
    tolerance=1e-5,
)
def matmul_tiled(rng):
    a, b = rng.standard_normal((30, 25)).astype(F), rng.standard_normal((25, 40)).astype(F)
    return (a, b, np.empty((30, 40), F), 30, 40, 25), {2: a @ b}


@golden("""(const float* x, const float* w, float* y, int n) { extern __shared__ float s[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    s[t + 2] = i < n ? x[i] : 0;
    if (t < 2) { int j = i - 2; s[t] = j >= 0 ? x[j] : 0; int e = i + blockDim.x; s[t + blockDim.x + 2] = e < n ? x[e] : 0; }
    __syncthreads();
    if (i < n) { float a = 0; for (int j = 0; j < 5; j++) a += w[j] * s[t + j]; y[i] = a; } }""",
    3, 64, smem=4 * 68, tolerance=1e-6)  # fmt: skip
def convolution_with_halo(rng):
    x, w = rng.standard_normal(150).astype(F), rng.standard_normal(5).astype(F)
    return (x, w, np.empty_like(x), 150), {2: np.convolve(np.pad(x, 2), w[::-1], "valid")}


@golden(
    """(const float* x, float* y, int n) { __shared__ float s[256]; int t = threadIdx.x; const float* p = x + blockIdx.x * n;
    float m = -1e30f; for (int i = t; i < n; i += 256) m = fmaxf(m, p[i]); s[t] = m; __syncthreads();
    for (int h = 128; h; h >>= 1) { if (t < h) s[t] = fmaxf(s[t], s[t + h]); __syncthreads(); }
    m = s[0]; __syncthreads(); float q = 0; for (int i = t; i < n; i += 256) q += expf(p[i] - m); s[t] = q; __syncthreads();
    for (int h = 128; h; h >>= 1) { if (t < h) s[t] += s[t + h]; __syncthreads(); }
    q = s[0]; for (int i = t; i < n; i += 256) y[blockIdx.x * n + i] = expf(p[i] - m) / q; }""",
    5,
    256,
    tolerance=1e-6,
)
def softmax_rows(rng):
    x = rng.standard_normal((5, 300)).astype(F)
    e = np.exp(x - x.max(1, keepdims=True))
    return (x, np.empty_like(x), 300), {1: e / e.sum(1, keepdims=True)}


@golden("(const int* x, int* y) { __shared__ int s[2][64]; int t = threadIdx.x, p = 0; s[0][t] = x[t]; __syncthreads();"
        "for (int d = 1; d < 64; d *= 2) { s[1 - p][t] = s[p][t] + (t >= d ? s[p][t - d] : 0); p = 1 - p; __syncthreads(); }"
        "y[t] = s[p][t]; }", 1, 64)  # fmt: skip
def inclusive_scan(rng):
    x = rng.integers(-9, 9, 64).astype(I)
    return (x, np.empty_like(x)), {1: np.cumsum(x)}


@golden(
    """(unsigned* y) { __shared__ unsigned s[64]; unsigned t = threadIdx.x; s[t] = (t * 2654435761u) >> 7; __syncthreads();
    for (unsigned k = 2; k <= 64; k *= 2) for (unsigned j = k / 2; j; j /= 2) { unsigned o = t ^ j;
      if (o > t) { unsigned a = s[t], b = s[o]; if ((a > b) == ((t & k) == 0)) { s[t] = b; s[o] = a; } } __syncthreads(); }
    y[t] = s[t]; }""",
    1,
    64,
)
def bitonic_sort(rng):
    x = (np.arange(64, dtype=np.uint64) * 2654435761 % 2**32).astype(U) >> U(7)
    return (np.empty(64, U),), {0: np.sort(x)}


@golden("(float* y) {" + TID + "float (*f)(float) = 0; (void)f; union { float f; unsigned u; } v; v.f = i; y[i] = "
        "__uint_as_float(v.u ^ 0x80000000u); }")  # fmt: skip
def bit_casts(rng):
    return (np.empty(32, F),), {0: -np.arange(32, dtype=F)}


@golden("(int* y) { int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);"
        "int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);"
        "y[b * 24 + t] = threadIdx.x * 100 + threadIdx.y * 10 + threadIdx.z + 1000 * (blockIdx.x + 2 * blockIdx.y + 4 * blockIdx.z); }",
        (2, 2, 2), (4, 3, 2))  # fmt: skip
def three_dimensions(rng):
    bz, by, bx, tz, ty, tx = np.indices((2, 2, 2, 2, 3, 4))
    return (np.empty(192, I),), {0: (tx * 100 + ty * 10 + tz + 1000 * (bx + 2 * by + 4 * bz)).reshape(-1)}


@golden("(const int* x, int* y, int* z) {" + TID + "const int* p = x[i] > 0 ? y : z; int v = p[i]; y[i + 32] = v; }")
def selected_pointer(rng):
    x, y, z = rng.integers(-1, 2, 32).astype(I), np.arange(64, dtype=I), np.arange(100, 132, dtype=I)
    expected = y.copy()
    expected[32:] = np.where(x > 0, y[:32], z)
    return (x, y, z), {1: expected}


@golden("(int* y) { __shared__ int a; int b; int* p = threadIdx.x & 1 ? &a : &b; if (threadIdx.x < 2) *p = 5;"
        "__syncthreads(); y[threadIdx.x] = threadIdx.x == 0 ? b : a; }")  # fmt: skip
def generic_pointers(rng):
    return (np.empty(32, I),), {0: np.full(32, 5)}
