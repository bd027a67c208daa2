# ruff: noqa: E501
"""Golden kernels: the half, bfloat16 and fp8 headers; comparisons, packed pairs, rounding modes."""

import numpy as np
import torch
from golden import TID, F, I, golden
from golden_numeric import HALF, bf16, bits

F16 = np.float16


def pairs(rng, count=32):
    return rng.standard_normal(2 * count).astype(F16), rng.standard_normal(2 * count).astype(F16)


def near(x, y):
    """y, equal to x in every third element: comparisons meet both sides and the border."""
    y = y.copy()
    y[::3] = x[::3]
    return y


@golden("(const half* x, const half* y, int* z, half* w) {" + TID + """ half a = x[i], b = y[i];
    z[i] = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a >= b) << 4 | (a > b) << 5 | __hisnan(a) << 6 | __hltu(a, b) << 7;
    w[i] = __hmax(a, b); w[i + 64] = __hmin(a, b); w[i + 128] = a < b ? -a : __habs(b); w[i + 192] = __hmax_nan(a, b); }""", 2, 32, head=HALF)  # fmt: skip
def half_comparisons(rng):
    x, y = pairs(rng)
    y = near(x, y)
    x[5] = np.nan
    tests = [x < y, x <= y, x == y, x != y, x >= y, x > y, np.isnan(x), ~(x >= y)]
    codes = sum(test.astype(I) << k for k, test in enumerate(tests))
    rows = [np.fmax(x, y), np.fmin(x, y), np.where(x < y, -x, np.abs(y)), np.maximum(x, y)]
    return (x, y, np.empty(64, I), np.empty(256, F16)), {2: codes, 3: np.concatenate(rows)}


@golden("(const half2* x, const half2* y, half2* z, unsigned* m) {" + TID + """ half2 a = x[i], b = y[i];
    z[i] = __hadd2(a, b); z[i + 32] = __hsub2(a, b); z[i + 64] = __hmul2(a, b); z[i + 96] = __h2div(a, b); z[i + 128] = __hneg2(a);
    z[i + 160] = __hmax2(a, b); z[i + 192] = __hlt2(a, b); z[i + 224] = __hge2(a, b); z[i + 256] = __lowhigh2highlow(a);
    z[i + 288] = __halves2half2(__low2half(a), __high2half(b)); z[i + 320] = __hadd2_sat(a, b); z[i + 352] = __hfma2_relu(a, b, a);
    m[i] = __heq2_mask(a, b) ^ __hgt2_mask(a, b); m[i + 32] = __hbeq2(a, b) + 2 * __hbgt2(a, a) + 4 * __hbge2(a, a); }""", head=HALF)  # fmt: skip
def half2_operations(rng):
    x, y = pairs(rng)
    y = near(x, y)
    y[:4] = x[:4]
    a, b = x.reshape(-1, 2), y.reshape(-1, 2)
    fma = (a.astype(float) * b.astype(float) + a.astype(float)).astype(F16)
    rows = [a + b, a - b, a * b, a / b, -a, np.maximum(a, b), a < b, a >= b, a[:, ::-1], np.stack([a[:, 0], b[:, 1]], 1),
            np.clip(a + b, 0, 1), np.maximum(fma, 0)]  # fmt: skip
    masks = ((a == b) | (a > b)) @ np.array([0xFFFF, 0xFFFF0000])
    codes = (a == b).all(1) + 4
    return (x, y, np.empty((12, 32, 2), F16), np.empty(64, np.uint32)), {
        2: np.stack([row.astype(F16) for row in rows]), 3: np.concatenate([masks, codes])}  # fmt: skip


@golden("(const half* x, half* y) {" + TID + """ half v = x[i];
    y[i] = hexp(v); y[i + 64] = hlog(v); y[i + 128] = hsqrt(v); y[i + 192] = hrsqrt(v); y[i + 256] = hsin(v); y[i + 320] = hcos(v);
    y[i + 384] = hrcp(v); y[i + 448] = hexp2(v); y[i + 512] = hlog2(v); y[i + 576] = htanh(v); y[i + 640] = hfloor(v);
    y[i + 704] = hrint(v); y[i + 768] = htrunc(v); y[i + 832] = hceil(v); y[i + 896] = hexp10(v); y[i + 960] = hlog10(v); }""", 2, 32, head=HALF, tolerance=2e-3)  # fmt: skip
def half_functions(rng):
    x = (rng.random(64) * 3 + 0.1).astype(F16)
    v = x.astype(float)
    rows = [np.exp(v), np.log(v), v**0.5, v**-0.5, np.sin(v), np.cos(v), 1 / v, np.exp2(v), np.log2(v), np.tanh(v), np.floor(v),
            np.rint(v), np.trunc(v), np.ceil(v), 10**v, np.log10(v)]  # fmt: skip
    return (x, np.empty(1024, F16)), {1: np.concatenate(rows).astype(F16)}


@golden("(const float* x, half* y, int* z, half* w) {" + TID + """
    y[i] = __float2half_rz(x[i]); y[i + 32] = __float2half_ru(x[i]); y[i + 64] = __float2half_rd(x[i]); y[i + 96] = __float2half(x[i]);
    z[i] = __half2int_rn(y[i + 96]); z[i + 32] = __half2int_rz(y[i + 96]); z[i + 64] = __half2short_rd(y[i + 96]); z[i + 96] = __half_as_ushort(y[i]);
    w[i] = __int2half_rn(i * 1001); w[i + 32] = __ushort2half_rn(i * 2000); w[i + 64] = __ll2half_rn(-i); w[i + 96] = __double2half(i / 3.0); }""", head=HALF)  # fmt: skip
def half_conversions(rng):
    x = (rng.standard_normal(32) * 30).astype(F)
    near = x.astype(F16)
    below, above = np.nextafter(near, F16(-np.inf)), np.nextafter(near, F16(np.inf))
    down, up = np.where(near.astype(F) > x, below, near), np.where(near.astype(F) < x, above, near)
    zero = np.where(x > 0, down, up)
    i = np.arange(32)
    whole = [np.rint(near), np.trunc(near), np.floor(near)]
    codes = np.concatenate([*[w.astype(I) for w in whole], zero.view(np.uint16).astype(I)])
    made = np.concatenate([i * 1001, i * 2000, -i, i / 3]).astype(F16)
    return (x, np.empty(128, F16), np.empty(128, I), np.empty(128, F16)), {
        1: np.concatenate([zero, up, down, near]), 2: codes, 3: made}  # fmt: skip


@golden("(const __nv_bfloat162* x, const __nv_bfloat162* y, __nv_bfloat162* z, int* m) {" + TID + """ __nv_bfloat162 a = x[i], b = y[i];
    z[i] = __hadd2(a, b); z[i + 32] = __hsub2(a, b); z[i + 64] = __hmul2(a, b); z[i + 96] = __hfma2(a, b, a); z[i + 128] = __hmax2(a, b);
    z[i + 160] = __hmin2(a, b); z[i + 192] = __hneg2(a); z[i + 224] = __habs2(a); z[i + 256] = __hlt2(a, b); z[i + 288] = __h2div(a, b);
    z[i + 320] = __lowhigh2highlow(a); z[i + 352] = __bfloat162bfloat162(a.x); m[i] = __hbge2(a, b) | __hbne2(a, b) << 1 | (a.x < b.x) << 2 | (a.y == b.y) << 3; }""", head=HALF)  # fmt: skip
def bf162_operations(rng):
    x, y = (bf16(v.astype(F)) for v in pairs(rng))
    y[::3] = x[::3]
    a, b = x.reshape(-1, 2), y.reshape(-1, 2)
    fma = (a.double() * b.double() + a.double()).bfloat16()
    rows = [a + b, a - b, a * b, fma, torch.maximum(a, b), torch.minimum(a, b), -a, a.abs(), (a < b).bfloat16(), a / b, a.flip(1),
            a[:, :1].expand(-1, 2)]  # fmt: skip
    codes = (a >= b).all(1) + 2 * (a != b).all(1) + 4 * (a[:, 0] < b[:, 0]) + 8 * (a[:, 1] == b[:, 1])
    return (bits(x), bits(y), np.empty((12, 64), np.uint16), np.empty(32, I)), {
        2: bits(torch.stack(rows).reshape(12, 64)),
        3: codes.numpy(),
    }


@golden("(const __nv_bfloat16* x, __nv_bfloat16* y, float* z) {" + TID + """ __nv_bfloat16 v = x[i];
    y[i] = hexp(v); y[i + 32] = hlog(v); y[i + 64] = hsqrt(v); y[i + 96] = hrsqrt(v); y[i + 128] = hrcp(v); y[i + 160] = htanh(v); y[i + 192] = hsin(v);
    y[i + 224] = hfloor(v); y[i + 256] = v * v + v; y[i + 288] = v > __float2bfloat16(1.f) ? v : -v; z[i] = __bfloat162float(v); z[i + 32] = __bfloat162int_rn(v); }""",
        head=HALF, tolerance=1e-2)  # fmt: skip
def bf16_functions(rng):
    x = bf16((rng.random(32) * 3 + 0.1).astype(F))
    v = x.double()
    rows = [
        v.exp(),
        v.log(),
        v.sqrt(),
        v.rsqrt(),
        1 / v,
        v.tanh(),
        v.sin(),
        v.floor(),
        v * v + v,
        torch.where(v > 1, v, -v),
    ]
    codes = np.empty(320, np.uint16)
    whole = np.concatenate([x.float().numpy(), np.rint(x.float().numpy())])
    return (bits(x), codes, np.empty(64, F)), {2: whole, 1: bits(torch.cat(rows).bfloat16())}


@golden("(const float* x, __nv_bfloat16* y) {" + TID + "y[i] = __float2bfloat16_rz(x[i]); y[i + 32] = __float2bfloat16_rn(x[i]); y[i + 64] = __float2bfloat16_ru(x[i]);"
        "y[i + 96] = __float2bfloat16_rd(x[i]); y[i + 128] = __int2bfloat16_rn(i * 1001); y[i + 160] = __double2bfloat16(i / 3.0); }", head=HALF)  # fmt: skip
def bf16_conversions(rng):
    x = (rng.standard_normal(32) * 30).astype(F)
    zero = x.view(np.uint32) & np.uint32(0xFFFF0000)
    away = zero + np.uint32(0x10000)
    i = torch.arange(32)
    rows = [zero >> 16, bits(bf16(x)), np.where(x > 0, away, zero) >> 16, np.where(x > 0, zero, away) >> 16,
            bits((i * 1001).bfloat16()), bits((i / 3).bfloat16())]  # fmt: skip
    return (x, np.empty(192, np.uint16)), {1: np.concatenate(rows)}


@golden("(const half2* x, unsigned short* y, half2* z, const float4* q, unsigned* p) {" + TID + """
    __nv_fp8x2_e4m3 a(x[i]); __nv_fp8x2_e5m2 b(x[i]); y[i] = a.__x; y[i + 32] = b.__x; z[i] = (half2)a; z[i + 32] = (half2)b;
    __nv_fp8x4_e4m3 c(q[i]); p[i] = c.__x; __nv_fp8x4_e5m2 d(q[i]); p[i + 32] = d.__x; }""", head=HALF)  # fmt: skip
def fp8_pairs_and_quads(rng):
    x, q = (rng.standard_normal(64) * 20).astype(F16), (rng.standard_normal(128) * 20).astype(F)
    t, f = torch.from_numpy(x), torch.from_numpy(q)
    kinds = (torch.float8_e4m3fn, torch.float8_e5m2)
    codes = [t.to(kind).view(torch.uint8).numpy().view(np.uint16) for kind in kinds]
    back = torch.cat([t.to(kind).half() for kind in kinds]).numpy()
    quads = [f.to(kind).view(torch.uint8).numpy().view(np.uint32) for kind in kinds]
    return (x, np.empty(64, np.uint16), np.empty(128, F16), q, np.empty(64, np.uint32)), {
        1: np.concatenate(codes), 2: back, 4: np.concatenate(quads)}  # fmt: skip


@golden("(float* y, half* z) {" + TID + """ __nv_fp8_e4m3 a; a.__x = i; y[i] = (float)a; __nv_fp8_e5m2 b; b.__x = i; y[i + 256] = (float)b;
    z[i] = __nv_cvt_fp8_to_halfraw(i, __NV_E4M3); z[i + 256] = __nv_cvt_fp8_to_halfraw(i, __NV_E5M2); }""", 2, 128, head=HALF)  # fmt: skip
def fp8_every_code(rng):
    codes = torch.arange(256).to(torch.uint8)
    values = torch.cat([codes.view(torch.float8_e4m3fn).float(), codes.view(torch.float8_e5m2).float()]).numpy()
    return (np.empty(512, F), np.empty(512, F16)), {0: values, 1: values}


@golden("(const float* x, unsigned char* y) {" + TID + """ y[i] = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, __NV_E4M3); y[i + 32] = __nv_cvt_float_to_fp8(x[i], __NV_SATFINITE, __NV_E4M3);
    y[i + 64] = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, __NV_E5M2); y[i + 96] = __nv_cvt_float_to_fp8(x[i], __NV_SATFINITE, __NV_E5M2); }""", head=HALF)  # fmt: skip
def fp8_saturation(rng):
    x = (np.array([-1.0, 1.0] * 16) * 2.0 ** np.arange(-12, 20)).astype(F)
    t = torch.from_numpy(x)
    e4, e5 = torch.float8_e4m3fn, torch.float8_e5m2
    rows = [
        torch.where(t.abs() > 448, torch.nan, t).to(e4),
        t.clamp(-448, 448).to(e4),
        t.to(e5),
        t.clamp(-57344, 57344).to(e5),
    ]
    codes = torch.cat([row.view(torch.uint8) for row in rows]).numpy().copy()
    codes[:32] |= np.where(x < 0, 0x80, 0).astype(np.uint8)  # a NaN keeps the sign
    return (x, np.empty(128, np.uint8)), {1: codes}
