"""Integer functions that NumPy lacks, with PTX's results in the corner cases. Arguments are lane vectors or 0-d
values; a result has the form of the first argument unless the name says otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.vgpu.types import Array


def select(predicate: Array, a: Array, b: Array) -> Array:
    """a where the predicate holds, b elsewhere; may return one of them itself."""
    if predicate.ndim == 0:
        return a if predicate else b
    return np.where(predicate, a, b)


def bits_of(value: Array) -> int:
    return int(value.dtype.itemsize) * 8


def unsigned_view(value: Array) -> Array:
    return value.view(f"u{value.dtype.itemsize}")


def add_sat(a: Array, b: Array) -> Array:
    """Signed addition that saturates (add.sat.s32)."""
    return _saturate(a.astype(np.int64) + b, a.dtype)


def sub_sat(a: Array, b: Array) -> Array:
    return _saturate(a.astype(np.int64) - b, a.dtype)


def _saturate(wide: Array, dtype: np.dtype[Any]) -> Array:
    limits = np.iinfo(dtype)
    return np.clip(wide, limits.min, limits.max).astype(dtype)


def add_carry(a: Array, b: Array, carry: Array | bool) -> tuple[Array, Array]:
    """(a + b + carry, carry out), unsigned."""
    step = np.asarray(carry).astype(a.dtype)
    total = a + b
    result = total + step
    return result, (total < a) | (result < total)


def sub_carry(a: Array, b: Array, carry: Array | bool) -> tuple[Array, Array]:
    """(a - b - borrow, borrow out), unsigned."""
    step = np.asarray(carry).astype(a.dtype)
    total = a - b
    result = total - step
    return result, (a < b) | (total < step)


def mul_hi(a: Array, b: Array) -> Array:
    """The upper half of the double-width product."""
    bits = bits_of(a)
    if bits < 64:
        wide = np.int64 if a.dtype.kind == "i" else np.uint64
        return ((a.astype(wide) * b.astype(wide)) >> wide(bits)).astype(a.dtype)
    high = _mul_hi_u64(unsigned_view(a), unsigned_view(b))
    if a.dtype.kind == "i":
        high = (
            high - np.where(a < 0, unsigned_view(b), np.uint64(0)) - np.where(b < 0, unsigned_view(a), np.uint64(0))
        )
    return high.view(a.dtype)


def _mul_hi_u64(a: Array, b: Array) -> Array:
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    a0, a1, b0, b1 = a & low, a >> half, b & low, b >> half
    middle = a1 * b0 + ((a0 * b0) >> half)
    other = a0 * b1 + (middle & low)
    return a1 * b1 + (middle >> half) + (other >> half)


def mul24_lo(a: Array, b: Array) -> Array:
    return _product24(a, b).astype(a.dtype)


def mul24_hi(a: Array, b: Array) -> Array:
    """Bits 16 to 47 of the 48-bit product."""
    return (_product24(a, b) >> np.int64(16)).astype(a.dtype)


def _product24(a: Array, b: Array) -> Array:
    shift = a.dtype.type(8)
    return ((a << shift) >> shift).astype(np.int64) * ((b << shift) >> shift).astype(np.int64)


def int_div(a: Array, b: Array) -> Array:
    """Division that truncates towards zero; all ones for a zero divisor, as the hardware gives."""
    zero = b == 0
    safe = np.where(zero, b.dtype.type(1), b)
    if a.dtype.kind == "u":
        return np.where(zero, ~a.dtype.type(0), a // safe)
    magnitude = (unsigned_view(np.asarray(abs(a))) // unsigned_view(np.asarray(abs(safe)))).view(a.dtype)
    signed = np.where((a < 0) != (safe < 0), -magnitude, magnitude)
    return np.where(zero, ~a.dtype.type(0), signed)


def int_rem(a: Array, b: Array) -> Array:
    """The remainder of int_div: it has the sign of the dividend. A zero divisor gives the dividend."""
    quotient = np.where(b == 0, a.dtype.type(0), int_div(a, b))
    return a - quotient * b


def int_min(a: Array, b: Array) -> Array:
    return np.minimum(a, b)


def int_max(a: Array, b: Array) -> Array:
    return np.maximum(a, b)


def _parts(value: Array, bits: int) -> list[Array]:
    """The 8- or 16-bit fields of a 32-bit value, low first, with the signedness of its dtype."""
    shift = value.dtype.type(32 - bits)
    return [(value << value.dtype.type(32 - bits - low)) >> shift for low in range(0, 32, bits)]


def dp4a(a: Array, b: Array, c: Array) -> Array:
    """c plus the dot product of four bytes."""
    pairs = zip(_parts(a, 8), _parts(b, 8), strict=True)
    total = c.astype(np.int64) + sum(x.astype(np.int64) * y for x, y in pairs)
    return total.astype(np.uint32).view(c.dtype)


def lane_differences(a: Array, b: Array, part: str, total: bool) -> Array:
    """|x - y| of each pair of bytes or halves (`part` is "u8", "s16" ...), in place or added up."""
    bits = int(part[1:])
    x, y = ([p.astype(np.int64) for p in _parts(word.view(f"{part[0].replace('s', 'i')}4"), bits)] for word in (a, b))
    terms = [np.abs(p - q).astype(np.uint32) for p, q in zip(x, y, strict=True)]
    if total:
        return np.sum(terms, axis=0, dtype=np.uint32)
    return np.bitwise_or.reduce([term << np.uint32(bits * i) for i, term in enumerate(terms)])


def dp2a(a: Array, b: Array, c: Array, first: int) -> Array:
    """c plus two 16-bit values times two bytes of b, from byte `first`."""
    pairs = zip(_parts(a, 16), _parts(b, 8)[first : first + 2], strict=True)
    total = c.astype(np.int64) + sum(x.astype(np.int64) * y for x, y in pairs)
    return total.astype(np.uint32).view(c.dtype)
