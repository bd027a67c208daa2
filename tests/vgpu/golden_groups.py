# ruff: noqa: E501
"""Golden kernels: cooperative groups, printf, ldmatrix in all sizes, dot products of bytes, wmma in all shapes, libm."""

import numpy as np
import torch
from golden import TID, F, I, U, golden
from golden_numeric import HALF
from golden_parallel import CG

GROUPS = CG + "\n#include <cooperative_groups/scan.h>\n#include <cooperative_groups/memcpy_async.h>"


@golden("(const int* x, int* y) { auto b = cg::this_thread_block(); auto t = cg::tiled_partition<32>(b); int r = b.thread_rank(), v = x[r];"
        "y[r] = cg::reduce(t, v, cg::plus<int>()); y[r + 64] = cg::reduce(t, v, cg::greater<int>()); y[r + 128] = cg::reduce(t, v, cg::less<int>());"
        "y[r + 192] = t.shfl_down(v, 1); y[r + 256] = t.shfl_xor(v, 3); y[r + 320] = t.shfl(v, 5) + t.meta_group_rank() * 1000 + t.meta_group_size() * 10000;"
        "y[r + 384] = t.ballot(v > 0); y[r + 448] = t.any(v > 7) + 2 * t.all(v < 9) + 4 * (t.num_threads() == 32); }", 1, 64, head=GROUPS)  # fmt: skip
def tile_of_a_warp(rng):
    x = rng.integers(-9, 9, 64).astype(I)
    tile, r = x.reshape(2, 32), np.arange(64)

    def each(values):
        return np.repeat(values, 32)

    down = np.where(r % 32 < 31, np.roll(x, -1), x)
    ballot = ((tile > 0) * (1 << np.arange(32, dtype=np.int64))).sum(1).astype(U).view(I)
    rows = [each(tile.sum(1)), each(tile.max(1)), each(tile.min(1)), down, x[r ^ 3], each(tile[:, 5] + [20000, 21000]), each(ballot),
            each((tile > 7).any(1) + 2 * (tile < 9).all(1) + 4)]  # fmt: skip
    return (x, np.empty(512, I)), {1: np.concatenate(rows)}


@golden("(const int* x, int* y) { auto b = cg::this_thread_block(); auto w = cg::tiled_partition<32>(b); auto h = cg::tiled_partition<16>(w); auto q = cg::tiled_partition<4>(h);"
        "int r = b.thread_rank(), v = x[r]; y[r] = cg::reduce(h, v, cg::plus<int>()); y[r + 64] = cg::reduce(q, v, cg::bit_xor<int>());"
        "y[r + 128] = h.thread_rank() + 100 * q.meta_group_rank(); y[r + 192] = h.shfl_up(v, 2); y[r + 256] = q.match_any(v & 1); q.sync(); h.sync();"
        "y[r + 320] = cg::inclusive_scan(h, v); y[r + 384] = cg::exclusive_scan(h, v, cg::plus<int>()); }", 1, 64, head=GROUPS)  # fmt: skip
def nested_tiles(rng):
    x = rng.integers(-9, 9, 64).astype(I)
    h, q, r = x.reshape(4, 16), x.reshape(16, 4), np.arange(64)
    match = np.array([[sum(1 << j for j in range(4) if (row[j] & 1) == (v & 1)) for v in row] for row in q])
    up = np.where(r % 16 >= 2, np.roll(x, 2), x)
    rows = [np.repeat(h.sum(1), 16), np.repeat(np.bitwise_xor.reduce(q, 1), 4), r % 16 + 100 * (r // 4 % 4), up, match.reshape(-1),
            h.cumsum(1).reshape(-1), (h.cumsum(1) - h).reshape(-1)]  # fmt: skip
    return (x, np.empty(448, I)), {1: np.concatenate(rows)}


@golden("(int* y) { auto b = cg::this_thread_block(); auto g = cg::this_grid(); __shared__ int s[24]; s[b.thread_rank()] = g.thread_rank(); b.sync();"
        "unsigned r = g.thread_rank(); y[r] = s[b.num_threads() - 1 - b.thread_rank()] + 1000 * b.group_index().x + 100000 * (b.thread_index().y + 2 * b.dim_threads().x);"
        "cg::sync(b); y[r + 48] = g.num_threads() + 1000 * g.num_blocks(); }", 2, (8, 3), head=GROUPS)  # fmt: skip
def block_and_grid_groups(rng):
    r = np.arange(48)
    return (np.empty(96, I),), {
        0: np.concatenate(
            [r // 24 * 24 + 23 - r % 24 + 1000 * (r // 24) + 100000 * (r % 24 // 8 + 16), np.full(48, 2048)]
        )
    }


@golden("(const int* x, int* y) { auto t = cg::tiled_partition<32>(cg::this_thread_block()); int r = threadIdx.x, v = x[r];"
        "auto odd = cg::binary_partition(t, v & 1); y[r] = cg::reduce(odd, v, cg::plus<int>()) + 1000 * odd.thread_rank(); auto l = cg::labeled_partition(t, v % 3);"
        "y[r + 32] = l.size() + 100 * l.thread_rank(); if (v > 5) { auto a = cg::coalesced_threads(); y[r + 64] = cg::reduce(a, 1, cg::plus<int>()); } else y[r + 64] = -1; }",
        head=GROUPS)  # fmt: skip
def partitions_by_value(rng):
    x = rng.integers(0, 12, 32).astype(I)
    before = np.tril(np.ones((32, 32), bool), -1)
    odd, label = (x[:, None] & 1) == (x & 1), x[:, None] % 3 == x % 3
    rows = [
        odd @ x + 1000 * (odd & before).sum(1),
        label.sum(1) + 100 * (label & before).sum(1),
        np.where(x > 5, (x > 5).sum(), -1),
    ]
    return (x, np.empty(96, I)), {1: np.concatenate(rows)}


@golden("(const int4* x, int* y) { __shared__ __align__(16) int s[256]; auto b = cg::this_thread_block(); cg::memcpy_async(b, s, (const int*)x, 1024); cg::wait(b);"
        "y[b.thread_rank()] = s[255 - 4 * b.thread_rank()]; }", 1, 64, head=GROUPS)  # fmt: skip
def group_memcpy_async(rng):
    x = rng.integers(-99, 99, 256).astype(I)
    return (x, np.empty(64, I)), {1: x[::-1][::4]}


@golden("(int* y) { int i = threadIdx.x; if (i % 16 == 3) printf(\"%d %5.2f %s %x|%-4u|%c %lld %%\\n\", i, i * 0.5, \"text\", 255 + i, 7u, 'q', 1ll << 40); y[i] = i; }",
        printed="3  1.50 text 102|7   |q 1099511627776 %\n19  9.50 text 112|7   |q 1099511627776 %\n")  # fmt: skip
def print_from_threads(rng):
    return (np.empty(32, I),), {0: np.arange(32)}


LDMATRIX = """(const half* x, half* y) {{ __shared__ __align__(16) half s[{n} * 64]; int t = threadIdx.x;
    for (int i = t; i < {n} * 64; i += 32) s[i] = x[i]; __syncwarp(); unsigned r[{n}], p = (unsigned)__cvta_generic_to_shared(s + 8 * (t % ({n} * 8)));
    asm volatile("ldmatrix.sync.aligned.m8n8.x{n}{trans}.shared.b16 {{{outs}}}, [%{n}];" : {regs} : "r"(p) : "memory");
    for (int i = 0; i < {n}; i++) *(unsigned*)(y + i * 64 + (t / 4) * 8 + (t % 4) * 2) = r[i]; }}"""


def ldmatrix(count, transposed):
    body = LDMATRIX.format(
        n=count,
        trans=".trans" if transposed else "",
        outs=",".join(f"%{k}" for k in range(count)),
        regs=", ".join(f'"=r"(r[{k}])' for k in range(count)),
    )

    def load_matrices(rng):
        x = rng.standard_normal((count, 8, 8)).astype(np.float16)
        return (x, np.empty_like(x)), {1: x.transpose(0, 2, 1) if transposed else x}

    load_matrices.__name__ = f"ldmatrix_x{count}{'_trans' if transposed else ''}"
    golden(body, head=HALF)(load_matrices)


for count in (1, 2, 4):
    for transposed in (False, True):
        ldmatrix(count, transposed)


@golden("(const int* a, const int* b, int* y, unsigned* u) {" + TID + "y[i] = __dp4a(a[i], b[i], 7); u[i] = __dp4a((unsigned)a[i], (unsigned)b[i], 7u);"
        "y[i + 32] = __dp2a_lo(a[i], b[i], -3); y[i + 64] = __dp2a_hi(a[i], b[i], -3); u[i + 32] = __dp2a_lo((unsigned)a[i], (unsigned)b[i], 1u);"
        'asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(y[i + 96]) : "r"(a[i]), "r"(b[i]), "r"(5)); }')  # fmt: skip
def byte_dot_products(rng):
    a, b = (rng.integers(0, 2**32, 32).astype(U) for _ in "ab")

    def parts(v, kind):
        return v.view(kind).reshape(32, -1).astype(np.int64)

    s8, u8, s16, u16 = np.int8, np.uint8, np.int16, np.uint16
    signed = [(parts(a, s8) * parts(b, s8)).sum(1) + 7, (parts(a, s16) * parts(b, s8)[:, :2]).sum(1) - 3,
              (parts(a, s16) * parts(b, s8)[:, 2:]).sum(1) - 3, (parts(a, s8) * parts(b, u8)).sum(1) + 5]  # fmt: skip
    unsigned = [(parts(a, u8) * parts(b, u8)).sum(1) + 7, (parts(a, u16) * parts(b, u8)[:, :2]).sum(1) + 1]
    return (a, b, np.empty(128, I), np.empty(64, U)), {2: np.concatenate(signed), 3: np.concatenate(unsigned)}


WMMA = """(const {t}* a, const {t}* b, const {c}* c, {c}* d) {{
    wmma::fragment<wmma::matrix_a, {m}, {n}, {k}, {t}, wmma::{la}_major> fa; wmma::fragment<wmma::matrix_b, {m}, {n}, {k}, {t}, wmma::{lb}_major> fb;
    wmma::fragment<wmma::accumulator, {m}, {n}, {k}, {c}> fc, fd; wmma::fill_fragment(fd, ({c})0);
    wmma::load_matrix_sync(fa, a, {lda}); wmma::load_matrix_sync(fb, b, {ldb}); wmma::load_matrix_sync(fc, c, {m}, wmma::mem_col_major);
    wmma::mma_sync(fd, fa, fb, fc); wmma::store_matrix_sync(d, fd, {n}, wmma::mem_row_major); }}"""


def wmma(m, n, k, kind, accumulator, a_layout, b_layout, make):
    lda, ldb = (k if a_layout == "row" else m), (n if b_layout == "row" else k)
    body = WMMA.format(t=kind, c=accumulator, m=m, n=n, k=k, la=a_layout, lb=b_layout, lda=lda, ldb=ldb)

    def multiply(rng):
        (a, exact_a), (b, exact_b) = make(rng, (m, k), a_layout), make(rng, (k, n), b_layout)
        dtype = {"float": F, "int": I, "double": np.float64}[accumulator]
        c = rng.integers(-9, 9, (n, m)).astype(dtype)
        return (a, b, c, np.empty((m, n), dtype)), {3: exact_a @ exact_b + c.T}

    multiply.__name__ = f"wmma_m{m}n{n}k{k}_{kind.replace(' ', '_')}_{a_layout}_{b_layout}"
    golden(body, head=HALF, tolerance=1e-5)(multiply)


def halves(rng, shape, layout):
    exact = rng.standard_normal(shape).astype(np.float16)
    return np.ascontiguousarray(exact if layout == "row" else exact.T), exact.astype(F)


def brain(rng, shape, layout):
    exact = torch.from_numpy(rng.standard_normal(shape).astype(F)).bfloat16()
    stored = exact if layout == "row" else exact.T.contiguous()
    return stored.view(torch.int16).numpy().view(np.uint16).copy(), exact.float().numpy()


def octets(rng, shape, layout):
    exact = rng.integers(0, 256, shape).astype(np.uint8)
    return np.ascontiguousarray(exact if layout == "row" else exact.T), exact.astype(I)


def doubles(rng, shape, layout):
    exact = rng.standard_normal(shape)
    return np.ascontiguousarray(exact if layout == "row" else exact.T), exact


wmma(32, 8, 16, "half", "float", "row", "col", halves)
wmma(8, 32, 16, "half", "float", "col", "row", halves)
wmma(16, 16, 16, "half", "float", "col", "col", halves)
wmma(32, 8, 16, "__nv_bfloat16", "float", "col", "row", brain)
wmma(8, 32, 16, "__nv_bfloat16", "float", "row", "row", brain)
wmma(16, 16, 16, "unsigned char", "int", "row", "col", octets)
wmma(32, 8, 16, "unsigned char", "int", "col", "row", octets)
wmma(8, 8, 4, "double", "double", "row", "col", doubles)


@golden("(const float* x, float* y) {" + TID + """ float v = x[i]; int e; float whole;
    y[i] = sqrtf(v); y[i + 32] = exp2f(v); y[i + 64] = exp10f(v); y[i + 96] = expm1f(v); y[i + 128] = log2f(v); y[i + 160] = log10f(v); y[i + 192] = tanf(v);
    y[i + 224] = asinf(v / 4); y[i + 256] = acosf(v / 4); y[i + 288] = atanf(v); y[i + 320] = sinhf(v); y[i + 352] = coshf(v); y[i + 384] = asinhf(v);
    y[i + 416] = acoshf(v + 1); y[i + 448] = atanhf(v / 4); y[i + 480] = erfcf(v); y[i + 512] = lgammaf(v); y[i + 544] = tgammaf(v); y[i + 576] = hypotf(v, 2.f);
    y[i + 608] = ldexpf(v, 3); y[i + 640] = frexpf(v, &e) + e; y[i + 672] = modff(v, &whole) + 2 * whole; y[i + 704] = rintf(v); y[i + 736] = roundf(v);
    y[i + 768] = truncf(v); y[i + 800] = floorf(v); y[i + 832] = ceilf(v); y[i + 864] = fdimf(v, 1.f); y[i + 896] = copysignf(v, -1.f); y[i + 928] = remainderf(v, 0.7f);
    y[i + 960] = normcdff(v); y[i + 992] = sinpif(v); y[i + 1024] = erfinvf(v / 4); y[i + 1056] = rcbrtf(v); y[i + 1088] = fmaf(v, v, v); y[i + 1120] = nextafterf(v, 9.f); }""",
        tolerance=4e-6)  # fmt: skip
def single_precision_library(rng):
    x = (rng.random(32) * 3 + 0.1).astype(F)
    t, d = torch.from_numpy(x).double(), x.astype(float)
    mantissa, exponent = np.frexp(d)
    quarter = t / 4
    rows = [t.sqrt(), t.exp2(), 10**t, t.expm1(), t.log2(), t.log10(), t.tan(), quarter.asin(), quarter.acos(), t.atan(), t.sinh(), t.cosh(), t.asinh(),
            (t + 1).acosh(), quarter.atanh(), t.erfc(), t.lgamma(), t.lgamma().exp(), np.hypot(d, 2), d * 8, mantissa + exponent, d + np.trunc(d), np.rint(d),
            np.floor(d + 0.5), np.trunc(d), np.floor(d), np.ceil(d), np.maximum(d - 1, 0), -d, d - np.rint(d / F(0.7)) * F(0.7).astype(float),
            torch.special.ndtr(t), np.sin(np.pi * d), quarter.erfinv(), d ** (-1 / 3), d * d + d, np.nextafter(x, F(9))]  # fmt: skip
    return (x, np.empty(1152, F)), {1: np.concatenate([np.asarray(row) for row in rows])}
