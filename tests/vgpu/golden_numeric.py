# ruff: noqa: E501
"""Golden kernels: number formats, the math library, integer intrinsics, matrix instructions."""

import numpy as np
import torch
from golden import TID, F, I, U, golden

HALF = (
    "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp8.h>\n#include <mma.h>\nusing namespace nvcuda;"
)


def bits(tensor):
    """A torch half or bfloat16 tensor's bits as uint16."""
    return tensor.view(torch.int16).numpy().view(np.uint16).copy()


def bf16(array):
    return torch.from_numpy(np.ascontiguousarray(array)).bfloat16()


@golden("(const half* x, const half* y, half* z) {" + TID + "z[i] = __hadd(__hmul(x[i], y[i]), x[i]); z[i + 64] = x[i] / y[i];"
        "z[i + 128] = __hfma(x[i], y[i], x[i]); }", 2, 32, head=HALF)  # fmt: skip
def half_arithmetic(rng):
    x, y = rng.standard_normal(64).astype(np.float16), rng.standard_normal(64).astype(np.float16)
    fma = (x.astype(float) * y.astype(float) + x.astype(float)).astype(np.float16)
    return (x, y, np.empty(192, np.float16)), {2: np.concatenate([x * y + x, x / y, fma])}


@golden(
    "(const half2* x, half2* y) {" + TID + "half2 v = x[i]; y[i] = __hfma2(v, v, __float2half2_rn(0.5f)); }",
    head=HALF,
)
def half2_fma(rng):
    x = rng.standard_normal(64).astype(np.float16)
    return (x, np.empty_like(x)), {1: (x.astype(float) ** 2 + 0.5).astype(np.float16)}


@golden("(const __nv_bfloat16* x, __nv_bfloat16* y) {" + TID + "y[i] = __hadd(x[i], __float2bfloat16(1.5f)); y[i + 32] = __hmul(x[i], x[i]);"
        "y[i + 64] = __hmax(x[i], __float2bfloat16(0.f)); }", head=HALF)  # fmt: skip
def bf16_arithmetic(rng):
    x = bf16(rng.standard_normal(32).astype(F))
    expected = torch.cat([x + 1.5, x * x, x.relu()])
    return (bits(x), np.empty(96, np.uint16)), {1: bits(expected)}


@golden("(const __nv_bfloat162* x, __nv_bfloat162* y) {" + TID + "float2 f = __bfloat1622float2(x[i]); y[i] = __floats2bfloat162_rn(f.y * 3.f, f.x); }",
        head=HALF)  # fmt: skip
def bf162_conversion(rng):
    x = bf16(rng.standard_normal(64).astype(F))
    pairs = x.reshape(32, 2).float()
    expected = torch.stack([pairs[:, 1] * 3, pairs[:, 0]], 1).bfloat16()
    return (bits(x), np.empty(64, np.uint16)), {1: bits(expected.reshape(-1))}


@golden("(const float* x, unsigned char* y, float* z) {" + TID + "__nv_fp8_e4m3 a(x[i]); __nv_fp8_e5m2 b(x[i]); y[i] = a.__x; y[i + 64] = b.__x;"
        "z[i] = (float)a; z[i + 64] = (float)b; }", 2, 32, head=HALF)  # fmt: skip
def fp8_conversion(rng):
    x = (rng.standard_normal(64) * 10.0 ** rng.integers(-3, 4, 64)).astype(F)
    t = torch.from_numpy(x)
    a, b = t.clamp(-448, 448).to(torch.float8_e4m3fn), t.clamp(-57344, 57344).to(torch.float8_e5m2)
    codes = torch.cat([a.view(torch.uint8), b.view(torch.uint8)]).numpy()
    return (x, np.empty(128, np.uint8), np.empty(128, F)), {1: codes, 2: torch.cat([a.float(), b.float()]).numpy()}


@golden("(const float* x, int* y) {" + TID + "y[i] = __float2int_rn(x[i]); y[i + 64] = (int)x[i]; y[i + 128] = __float2int_rd(x[i]);"
        "y[i + 192] = __float2int_ru(x[i]); }", 2, 32)  # fmt: skip
def float_to_int(rng):
    x = (rng.standard_normal(64) * 100).astype(F)
    return (x, np.empty(256, I)), {1: np.concatenate([np.rint(x), np.trunc(x), np.floor(x), np.ceil(x)])}


@golden(
    "(const int* x, float* y, double* z) {"
    + TID
    + "y[i] = x[i]; z[i] = (unsigned)x[i]; y[i + 32] = __int2float_rz(x[i]); }"
)
def int_to_float(rng):
    x = rng.integers(-(2**31), 2**31, 32).astype(I)
    near = x.astype(F)
    truncated = np.where(np.abs(near.astype(float)) > np.abs(x.astype(float)), np.nextafter(near, F(0)), near)
    return (x, np.empty(64, F), np.empty(32)), {1: np.concatenate([near, truncated]), 2: x.view(U).astype(float)}


@golden("(const float* x, float* y) {" + TID + """
    y[i] = sinf(x[i]); y[i + 64] = cosf(x[i] * 1e5f); y[i + 128] = expf(x[i]); y[i + 192] = logf(fabsf(x[i]));
    y[i + 256] = tanhf(x[i]); y[i + 320] = erff(x[i]); y[i + 384] = powf(fabsf(x[i]), 1.7f); y[i + 448] = rsqrtf(fabsf(x[i]));
    y[i + 512] = cbrtf(x[i]); y[i + 576] = log1pf(fabsf(x[i])); y[i + 640] = atan2f(x[i], 0.7f); y[i + 704] = fmodf(x[i], 0.3f); }""",
    2, 32, tolerance=2e-6)  # fmt: skip
def math_library(rng):
    x = rng.standard_normal(64).astype(F)
    d, a = x.astype(float), np.abs(x.astype(float))
    erf = torch.erf(torch.from_numpy(d)).numpy()
    big = (x * F(1e5)).astype(float)
    rows = [np.sin(d), np.cos(big), np.exp(d), np.log(a), np.tanh(d), erf, a ** float(F(1.7)), a**-0.5, np.cbrt(d), np.log1p(a),
            np.arctan2(d, float(F(0.7))), np.fmod(x, F(0.3))]  # fmt: skip
    return (x, np.empty(768, F)), {1: np.concatenate(rows)}


@golden("(const double* x, double* y) {" + TID + "y[i] = sin(x[i]) + exp(x[i]); y[i + 32] = sqrt(fabs(x[i])) / (1.0 + x[i] * x[i]);"
        "y[i + 64] = pow(fabs(x[i]), 0.3); }", tolerance=1e-14)  # fmt: skip
def double_math(rng):
    x = rng.standard_normal(32)
    rows = [np.sin(x) + np.exp(x), np.sqrt(np.abs(x)) / (1 + x * x), np.abs(x) ** 0.3]
    return (x, np.empty(96)), {1: np.concatenate(rows)}


@golden("(const float* x, float* y) {" + TID + "y[i] = __sinf(x[i]) + __expf(x[i]) + __logf(x[i] + 3.f) + __fdividef(x[i], 3.f)"
        "+ __frsqrt_rn(x[i] + 3.f) + __saturatef(x[i]); }", tolerance=1e-6)  # fmt: skip
def fast_math_intrinsics(rng):
    x = rng.random(32).astype(F)
    d = x.astype(float)
    return (x, np.empty(32, F)), {
        1: np.sin(d) + np.exp(d) + np.log(d + 3) + d / 3 + (d + 3) ** -0.5 + np.clip(d, 0, 1)
    }


@golden("(const float* x, const float* y, float* z) {" + TID + "z[i] = __fadd_rz(x[i], y[i]); z[i + 64] = __fmul_ru(x[i], y[i]);"
        "z[i + 128] = __fdiv_rd(x[i], y[i]); z[i + 192] = __fmaf_rz(x[i], y[i], x[i]); z[i + 256] = __fsqrt_ru(x[i]); }", 2, 32)  # fmt: skip
def directed_rounding(rng):
    x, y = rng.random(64).astype(F) + F(0.1), rng.random(64).astype(F) + F(0.1)
    a, b = x.astype(np.longdouble), y.astype(np.longdouble)

    def rounded(exact, up):
        near = exact.astype(F)
        step = np.nextafter(near, F(np.inf if up else -np.inf))
        wrong = near < exact if up else near > exact
        return np.where(wrong, step, near)

    rows = [
        rounded(a + b, False),
        rounded(a * b, True),
        rounded(a / b, False),
        rounded(a * b + a, False),
        rounded(np.sqrt(a), True),
    ]
    return (x, y, np.empty(320, F)), {2: np.concatenate(rows)}


@golden(
    "(const unsigned* x, unsigned* y) {"
    + TID
    + """ unsigned v = x[i];
    y[i] = __popc(v); y[i + 32] = __clz(v); y[i + 64] = __brev(v); y[i + 96] = __ffs(v); y[i + 128] = __byte_perm(v, ~v, 0x3715);
    y[i + 160] = __umulhi(v, 2654435761u); y[i + 192] = __funnelshift_l(v, ~v, i); y[i + 224] = v >> (i & 31) << (i & 7);
    y[i + 256] = __sad(v, 77, 3u); y[i + 288] = __dp4a(v, 0x01020304u, 5u); }"""
)
def integer_intrinsics(rng):
    x = rng.integers(0, 2**32, 32).astype(U)
    v = x.tolist()
    i = range(32)
    mask = 0xFFFFFFFF

    def perm(a):
        pair = a | (~a & mask) << 32
        return sum((pair >> 8 * n & 255) << 8 * k for k, n in enumerate((5, 1, 7, 3)))

    signed = np.array(x, I).astype(np.int64)
    rows = [
        [a.bit_count() for a in v], [32 - a.bit_length() for a in v], [int(f"{a:032b}"[::-1], 2) for a in v],
        [(a & -a).bit_length() for a in v], [perm(a) for a in v], [a * 2654435761 >> 32 for a in v],
        [((((~a & mask) << 32 | a) << n) >> 32) & mask for a, n in zip(v, i, strict=True)],
        [(a >> n << (n & 7)) & mask for a, n in zip(v, i, strict=True)], (np.abs(signed - 77) + 3).tolist(),
        [sum((a >> 8 * k & 255) * (4 - k) for k in range(4)) + 5 for a in v],
    ]  # fmt: skip
    return (x, np.empty(320, U)), {1: np.array(rows, np.uint64).astype(U).reshape(-1)}


@golden("(const unsigned long long* x, unsigned long long* y) {" + TID + "y[i] = __umul64hi(x[i], x[i] + 1); y[i + 32] = __popcll(x[i]);"
        "y[i + 64] = __clzll(x[i]); y[i + 96] = __brevll(x[i]); y[i + 128] = x[i] / 1000003; y[i + 160] = x[i] % 12345; }")  # fmt: skip
def integer_intrinsics_64(rng):
    x = rng.integers(0, 2**63, 32).astype(np.uint64)
    v = x.tolist()
    rows = [[a * (a + 1) >> 64 for a in v], [a.bit_count() for a in v], [64 - a.bit_length() for a in v],
            [int(f"{a:064b}"[::-1], 2) for a in v], [a // 1000003 for a in v], [a % 12345 for a in v]]  # fmt: skip
    return (x, np.empty(192, np.uint64)), {1: np.array(rows, np.uint64).reshape(-1)}


@golden(
    "(float* y) {"
    + TID
    + """ float inf = __int_as_float(0x7f800000), nan = __int_as_float(0x7fc00000);
    float v = i == 0 ? inf : i == 1 ? -inf : i == 2 ? nan : i - 5.0f;
    y[i] = isnan(v); y[i + 32] = isinf(v); y[i + 64] = fmaxf(v, 0.f); y[i + 96] = v > 0 ? 1 : 0; y[i + 128] = signbit(v) ? 1 : 0; }"""
)
def special_values(rng):
    v = np.arange(32, dtype=F) - F(5)
    v[:3] = np.inf, -np.inf, np.nan
    rows = [np.isnan(v), np.isinf(v), np.fmax(v, F(0)), v > 0, np.signbit(v)]
    return (np.empty(160, F),), {0: np.concatenate(rows).astype(F)}


WMMA = """(const {ab}* a, const {ab}* b, {c}* c, {c}* d) {{
    wmma::fragment<wmma::matrix_a, 16, 16, {k}, {frag}, wmma::row_major> fa; wmma::fragment<wmma::matrix_b, 16, 16, {k}, {frag}, wmma::{layout}> fb;
    wmma::fragment<wmma::accumulator, 16, 16, {k}, {c}> fc;
    wmma::load_matrix_sync(fa, a, {k}); wmma::load_matrix_sync(fb, b, {ldb}); wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
    wmma::mma_sync(fc, fa, fb, fc);
    for (int i = 0; i < fc.num_elements; i++) fc.x[i] = fc.x[i] + ({c})1;
    wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major); }}"""


@golden(WMMA.format(ab="half", frag="half", c="float", k=16, layout="row_major", ldb=16), head=HALF, tolerance=1e-5)
def wmma_f16(rng):
    a, b = rng.standard_normal((16, 16)).astype(np.float16), rng.standard_normal((16, 16)).astype(np.float16)
    c = rng.standard_normal((16, 16)).astype(F)
    return (a, b, c, np.empty((16, 16), F)), {3: a.astype(F) @ b.astype(F) + c + 1}


@golden(WMMA.format(ab="half", frag="half", c="half", k=16, layout="col_major", ldb=16), head=HALF, tolerance=2e-2)
def wmma_f16_accumulator(rng):
    a, b = rng.standard_normal((16, 16)).astype(np.float16), rng.standard_normal((16, 16)).astype(np.float16)
    c = rng.standard_normal((16, 16)).astype(np.float16)
    return (a, b, c, np.empty((16, 16), np.float16)), {3: a.astype(F) @ b.astype(F).T + c.astype(F) + 1}


@golden(
    WMMA.format(ab="__nv_bfloat16", frag="__nv_bfloat16", c="float", k=16, layout="col_major", ldb=16),
    head=HALF,
    tolerance=1e-5,
)
def wmma_bf16(rng):
    a, b = bf16(rng.standard_normal((16, 16)).astype(F)), bf16(rng.standard_normal((16, 16)).astype(F))
    c = rng.standard_normal((16, 16)).astype(F)
    return (bits(a), bits(b), c, np.empty((16, 16), F)), {3: a.float().numpy() @ b.float().numpy().T + c + 1}


@golden(
    WMMA.format(ab="float", frag="wmma::precision::tf32", c="float", k=8, layout="row_major", ldb=16),
    head=HALF,
    tolerance=1e-5,
)
def wmma_tf32(rng):
    a, b = rng.integers(-99, 99, (16, 8)).astype(F), rng.integers(-99, 99, (8, 16)).astype(F)
    c = rng.standard_normal((16, 16)).astype(F)
    return (a, b, c, np.empty((16, 16), F)), {3: a @ b + c + 1}


@golden(WMMA.format(ab="signed char", frag="signed char", c="int", k=16, layout="col_major", ldb=16), head=HALF)
def wmma_s8(rng):
    a, b = rng.integers(-128, 128, (16, 16)).astype(np.int8), rng.integers(-128, 128, (16, 16)).astype(np.int8)
    c = rng.integers(-9, 9, (16, 16)).astype(I)
    return (a, b, c, np.empty((16, 16), I)), {3: a.astype(I) @ b.astype(I).T + c + 1}


MMA = """(const unsigned* a, const unsigned* b, {c}* d) {{ int g = threadIdx.x / 4, t = threadIdx.x % 4; {c} x[4] = {{0, 0, 0, 0}};
    unsigned a0 = a[g * {s} + t], a1 = a[(g + 8) * {s} + t], a2 = a[g * {s} + t + 4], a3 = a[(g + 8) * {s} + t + 4];
    unsigned b0 = b[g * {s} + t], b1 = b[g * {s} + t + 4];
    asm volatile("mma.sync.aligned.{name} {{%0,%1,%2,%3}}, {{%4,%5,%6,%7}}, {{%8,%9}}, {{%0,%1,%2,%3}};"
        : "+{r}"(x[0]), "+{r}"(x[1]), "+{r}"(x[2]), "+{r}"(x[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    d[g * 8 + 2 * t] = x[0]; d[g * 8 + 2 * t + 1] = x[1]; d[(g + 8) * 8 + 2 * t] = x[2]; d[(g + 8) * 8 + 2 * t + 1] = x[3]; }}"""


@golden(MMA.format(c="float", s=8, r="f", name="m16n8k16.row.col.f32.f16.f16.f32"), tolerance=1e-5)
def mma_f16(rng):
    a, b = rng.standard_normal((16, 16)).astype(np.float16), rng.standard_normal((8, 16)).astype(np.float16)
    return (a, b, np.empty((16, 8), F)), {2: a.astype(F) @ b.astype(F).T}


@golden(MMA.format(c="float", s=8, r="f", name="m16n8k16.row.col.f32.bf16.bf16.f32"), tolerance=1e-5)
def mma_bf16(rng):
    a, b = bf16(rng.standard_normal((16, 16)).astype(F)), bf16(rng.standard_normal((8, 16)).astype(F))
    return (bits(a), bits(b), np.empty((16, 8), F)), {2: a.float().numpy() @ b.float().numpy().T}


@golden(MMA.format(c="float", s=8, r="f", name="m16n8k8.row.col.f32.tf32.tf32.f32"), tolerance=1e-5)
def mma_tf32(rng):
    a, b = rng.integers(-99, 99, (16, 8)).astype(F), rng.integers(-99, 99, (8, 8)).astype(F)
    return (a, b, np.empty((16, 8), F)), {2: a @ b.T}


@golden(MMA.format(c="int", s=8, r="r", name="m16n8k32.row.col.satfinite.s32.s8.s8.s32"))
def mma_s8(rng):
    a, b = rng.integers(-128, 128, (16, 32)).astype(np.int8), rng.integers(-128, 128, (8, 32)).astype(np.int8)
    return (a, b, np.empty((16, 8), I)), {2: a.astype(I) @ b.astype(I).T}


@golden(
    """(const double* a, const double* b, double* d) { int g = threadIdx.x / 4, t = threadIdx.x % 4; double x = 0, y = 0;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(x), "+d"(y) : "d"(a[g * 4 + t]), "d"(b[g * 4 + t]));
    d[g * 8 + 2 * t] = x; d[g * 8 + 2 * t + 1] = y; }""",
    tolerance=1e-14,
)
def mma_f64(rng):
    a, b = rng.standard_normal((8, 4)), rng.standard_normal((8, 4))
    return (a, b, np.empty((8, 8))), {2: a @ b.T}


@golden(
    """(const half* x, half* y) { __shared__ __align__(16) half s[4 * 64]; int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) s[i] = x[i]; __syncwarp(); unsigned r[4], p = (unsigned)__cvta_generic_to_shared(s + 8 * t);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(p));
    for (int i = 0; i < 4; i++) *(unsigned*)(y + i * 64 + (t / 4) * 8 + (t % 4) * 2) = r[i]; }""",
    head=HALF,
)
def ldmatrix_transposed(rng):
    x = rng.standard_normal((4, 8, 8)).astype(np.float16)
    return (x, np.empty_like(x)), {1: x.transpose(0, 2, 1)}
