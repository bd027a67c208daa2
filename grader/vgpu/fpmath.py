"""IEEE arithmetic that NumPy lacks: fused multiply-add, directed rounding, flushing, PTX's min and max.

Exactness: a value computed in double precision and "rounded to odd" (its last bit set when the exact value lies
beside it) rounds correctly to any format at least two bits shorter (Boldo and Melquiond, "Emulation of FMA and
correctly rounded sums: proved algorithms using rounding to odd", 2008).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from grader.vgpu.types import Array

_SPLIT = 134217729.0  # 2**27 + 1, Veltkamp's constant for doubles
_TINY = {np.dtype(kind): np.finfo(kind).tiny for kind in (np.float32, np.float64)}  # the smallest normal numbers
_HALFWAY_BITS = np.uint64(0x1FFFFFFF)  # the bits of a double that a single drops
_HALFWAY = np.uint64(0x10000000)
_SUBNORMAL_EDGE = 1.1754944e-38


def two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """(s, e) with s = fl(a + b) and s + e = a + b exactly (Knuth)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """(p, e) with p = fl(a * b) and p + e = a * b exactly, for doubles far from over- and underflow (Dekker)."""
    p = a * b
    t = a * _SPLIT
    ah = t - (t - a)
    t = b * _SPLIT
    bh = t - (t - b)
    al, bl = a - ah, b - bh
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


def to_odd(value: Array, error: Array) -> Array:
    """Round the exact value + error to odd, where `value` is its nearest double."""
    bits = np.asarray(value).view(np.int64)
    fix = (error != 0) & np.isfinite(value) & ((bits & 1) == 0)
    away = (error > 0) == (value > 0)  # the exact value is larger in magnitude
    moved = np.where(away, bits + 1, bits - 1)
    zero = np.asarray(value) == 0
    return np.where(fix & ~zero, moved, bits).view(np.float64)


def sum_to_odd(a: Array, b: Array) -> Array:
    """a + b in double precision, rounded to odd."""
    return to_odd(*two_sum(a, b))


def single_to_odd(value: Array) -> Array:
    """A double rounded to odd in single precision, ready to be rounded again to bf16 or f16."""
    near = value.astype(np.float32)
    bits = np.asarray(near).view(np.int32)
    error = value - near.astype(np.float64)
    fix = (error != 0) & np.isfinite(near) & ((bits & 1) == 0) & (near != 0)
    moved = np.where((error > 0) == (near > 0), bits + 1, bits - 1)
    return np.where(fix, moved, bits).astype(np.int32).view(np.float32)


def fma_f32(a: Array, b: Array, c: Array) -> Array:
    """a * b + c with one rounding. The product is exact in double precision; the sum's second rounding can only
    go wrong when the double lies exactly halfway between two singles, or in the subnormal range."""
    product = a.astype(np.float64) * b
    wide = product + c
    bits = np.asarray(wide).view(np.uint64)
    risky = ((bits & _HALFWAY_BITS) == _HALFWAY) | ((np.abs(wide) < _SUBNORMAL_EDGE) & (wide != 0))
    if risky.any():
        at = np.flatnonzero(risky)
        wide = np.array(wide)
        x, y = (np.broadcast_to(value, wide.shape).reshape(-1)[at] for value in (product, c))
        wide.reshape(-1)[at] = sum_to_odd(x, y.astype(np.float64))
    return wide.astype(np.float32)


def fma_f64(a: Array, b: Array, c: Array) -> Array:
    """a * b + c with one rounding (Boldo and Melquiond); lanes near over- or underflow are done with fractions."""
    high, low = two_product(a, b)
    t, t_error = two_sum(c, low)
    v, v_error = two_sum(high, t)
    result = np.asarray(v + sum_to_odd(t_error, v_error))
    magnitude = np.abs(a * b)
    risky = ~((magnitude > 1e-250) & (magnitude < 1e280) & (np.abs(a) < 1e280) & (np.abs(b) < 1e280))
    risky &= np.isfinite(a) & np.isfinite(b) & np.isfinite(c)
    finite = np.isfinite(a) & np.isfinite(b)
    result = np.where(finite & np.isfinite(c), result, np.where(finite, c, a * b + c))
    if risky.any():
        result = np.array(np.broadcast_to(result, np.shape(risky)))
        x, y, z = np.broadcast_arrays(a, b, c)
        for lane in zip(*np.nonzero(risky), strict=True) if np.ndim(risky) else [()]:
            result[lane] = _fma_exact(float(x[lane]), float(y[lane]), float(z[lane]))
    return result


def _fma_exact(a: float, b: float, c: float) -> float:
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c  # the sign of zero follows the rules of addition
    try:
        return float(exact)
    except OverflowError:
        return float("inf") if exact > 0 else float("-inf")


def ftz(a: Array) -> Array:
    """Flush subnormal numbers to zero of the same sign."""
    return np.where(np.abs(a) < _TINY[a.dtype], np.copysign(a.dtype.type(0), a), a)


def upper_word(a: Array) -> Array:
    """A double without the lower half of its bits, which the .approx.ftz forms neither read nor write: a NaN whose
    payload lies there counts as an infinity."""
    return (np.asarray(a).view(np.uint64) & np.uint64(0xFFFFFFFF00000000)).view(np.float64)


def saturate(a: Array) -> Array:
    """Clamp to [0, 1]; NaN becomes +0."""
    return np.where(a > 0, np.minimum(a, a.dtype.type(1)), a.dtype.type(0))


def relu(a: Array) -> Array:
    """Clamp negative values to +0, keeping NaN."""
    return np.where(a <= 0, a.dtype.type(0), a)


def float_min(a: Array, b: Array) -> Array:
    """The smaller value; a NaN operand is ignored, and -0 counts as smaller than +0."""
    result = np.fmin(a, b)
    zero = result == 0
    return (
        np.where(zero & (np.signbit(a) | np.signbit(b)) & (a == b), -np.abs(result), result) if zero.any() else result
    )


def float_max(a: Array, b: Array) -> Array:
    """The larger value; a NaN operand is ignored, and +0 counts as larger than -0."""
    result = np.fmax(a, b)
    zero = result == 0
    return (
        np.where(zero & ~(np.signbit(a) & np.signbit(b)) & (a == b), np.abs(result), result) if zero.any() else result
    )


def nan_if_nan(result: Array, a: Array, b: Array) -> Array:
    """min.NaN and max.NaN: NaN when either operand is one."""
    return np.where(np.isnan(a) | np.isnan(b), result.dtype.type(np.nan), result)


def xorsign(result: Array, a: Array, b: Array) -> Array:
    """min.xorsign.abs: give the result the product of the operands' signs."""
    return np.where(np.signbit(a) != np.signbit(b), -np.abs(result), np.abs(result))


def testp(kind: str, a: Array) -> Array:
    """testp.finite and its kin."""
    tiny = np.finfo(a.dtype).tiny
    subnormal = (np.abs(a) < tiny) & (a != 0)
    match kind:
        case "finite":
            return np.isfinite(a)
        case "infinite":
            return np.isinf(a)
        case "number":
            return ~np.isnan(a)
        case "notanumber":
            return np.isnan(a)
        case "subnormal":
            return subnormal
    return np.isfinite(a) & ~subnormal  # "normal": zero counts as normal


# Approximate functions: computed in double precision, so at least as good as the ISA's stated error.


def rsqrt(a: Array) -> Array:
    return _through_double(lambda x: 1.0 / np.sqrt(x), a)


def ex2(a: Array) -> Array:
    return _through_double(np.exp2, a)


def lg2(a: Array) -> Array:
    return _through_double(np.log2, a)


def sine(a: Array) -> Array:
    return _through_double(np.sin, a)


def cosine(a: Array) -> Array:
    return _through_double(np.cos, a)


def tanh(a: Array) -> Array:
    return _through_double(np.tanh, a)


def rcp(a: Array) -> Array:
    return a.dtype.type(1) / a


def _through_double(function, a: Array) -> Array:  # type: ignore[no-untyped-def]
    return function(a.astype(np.float64)).astype(a.dtype)
