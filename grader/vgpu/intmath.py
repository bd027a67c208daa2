"""Integer functions that NumPy lacks, with PTX's results in the corner cases. Arguments are lane vectors or 0-d
values; a result has the form of the first argument unless the name says otherwise."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from grader.vgpu.types import Array


def select(predicate: Array, a: Array, b: Array) -> Array:
    """a where the predicate holds, b elsewhere; may return one of them itself."""
    if predicate.ndim == 0:
        return a if predicate else b
    return np.where(predicate, a, b)


def bits_of(value: Array) -> int:
    return value.dtype.itemsize * 8


def unsigned_view(value: Array) -> Array:
    return cast(Array, value.view(f"u{value.dtype.itemsize}"))


def add_sat(a: Array, b: Array) -> Array:
    """Signed addition that saturates (add.sat.s32)."""
    return _saturate(a.astype(np.int64) + b, a.dtype)


def sub_sat(a: Array, b: Array) -> Array:
    return _saturate(a.astype(np.int64) - b, a.dtype)


def _saturate(wide: Array, dtype: np.dtype[Any]) -> Array:
    limits = np.iinfo(dtype)
    return cast(Array, np.clip(wide, limits.min, limits.max).astype(dtype))


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
        return cast(Array, ((a.astype(wide) * b.astype(wide)) >> wide(bits)).astype(a.dtype))
    high = _mul_hi_u64(unsigned_view(a), unsigned_view(b))
    if a.dtype.kind == "i":
        high = high - np.where(a < 0, unsigned_view(b), np.uint64(0)) - np.where(b < 0, unsigned_view(a), np.uint64(0))
    return cast(Array, high.view(a.dtype))


def _mul_hi_u64(a: Array, b: Array) -> Array:
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    a0, a1, b0, b1 = a & low, a >> half, b & low, b >> half
    middle = a1 * b0 + ((a0 * b0) >> half)
    other = a0 * b1 + (middle & low)
    return cast(Array, a1 * b1 + (middle >> half) + (other >> half))


def mul24_lo(a: Array, b: Array) -> Array:
    return _product24(a, b).astype(a.dtype)


def mul24_hi(a: Array, b: Array) -> Array:
    """Bits 16 to 47 of the 48-bit product."""
    return (_product24(a, b) >> np.int64(16)).astype(a.dtype)


def _product24(a: Array, b: Array) -> Array:
    shift = a.dtype.type(8)
    return cast(Array, ((a << shift) >> shift).astype(np.int64) * ((b << shift) >> shift).astype(np.int64))


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
    return cast(Array, a - quotient * b)


def int_min(a: Array, b: Array) -> Array:
    return cast(Array, np.minimum(a, b))


def int_max(a: Array, b: Array) -> Array:
    return cast(Array, np.maximum(a, b))


def popc(a: Array) -> Array:
    return np.bitwise_count(unsigned_view(a)).astype(np.uint32)


def clz(a: Array) -> Array:
    """Leading zeros; the width itself for zero."""
    bits = bits_of(a)
    return cast(Array, np.uint32(bits) - popc(_smear(unsigned_view(a))))


def _smear(a: Array) -> Array:
    """Set every bit below the highest set bit."""
    shift = 1
    while shift < bits_of(a):
        a = a | (a >> a.dtype.type(shift))
        shift *= 2
    return a


def bfind(a: Array, shift_amount: bool) -> Array:
    """The position of the highest bit that differs from the sign, or 0xffffffff; with `shift_amount`, how far to
    shift left to bring it to the top."""
    raw = unsigned_view(a)
    if a.dtype.kind == "i":
        raw = np.where(a < 0, ~raw, raw)
    position = popc(_smear(raw)) - np.uint32(1)
    if shift_amount:
        missing = np.uint32(0xFFFFFFFF)
        return np.where(position == missing, missing, np.uint32(bits_of(a) - 1) - position)
    return cast(Array, position)


def brev(a: Array) -> Array:
    """The bits in reverse order."""
    one = np.asarray(a)
    octets = np.ascontiguousarray(one.reshape(-1)).view(np.uint8).reshape(-1, one.dtype.itemsize)
    reversed_bits = np.packbits(np.unpackbits(octets, axis=1)[:, ::-1], axis=1)
    # unpackbits puts the top bit of each byte first, so reversing the row reverses bytes and bits together
    return np.ascontiguousarray(reversed_bits).view(one.dtype).reshape(one.shape)


def shl(a: Array, count: Array) -> Array:
    """Left shift; counts of the width or more give zero."""
    bits = bits_of(a)
    shifted = a << np.minimum(count, np.uint32(bits - 1)).astype(a.dtype)
    return np.where(count >= bits, a.dtype.type(0), shifted)


def shr(a: Array, count: Array) -> Array:
    """Right shift, arithmetic for signed forms; large counts give zero or the sign."""
    bits = bits_of(a)
    shifted = a >> np.minimum(count, np.uint32(bits - 1)).astype(a.dtype)
    return shifted if a.dtype.kind == "i" else np.where(count >= bits, a.dtype.type(0), shifted)


def _funnel_count(count: Array, clamp: bool) -> Array:
    limited = np.minimum(count, np.uint32(32)) if clamp else count & np.uint32(31)
    return limited.astype(np.uint64)


def funnel_l(a: Array, b: Array, count: Array, clamp: bool) -> Array:
    """The upper word of (b:a) << count."""
    pair = (b.astype(np.uint64) << np.uint64(32)) | a
    return ((pair << _funnel_count(count, clamp)) >> np.uint64(32)).astype(np.uint32)


def funnel_r(a: Array, b: Array, count: Array, clamp: bool) -> Array:
    """The lower word of (b:a) >> count."""
    pair = (b.astype(np.uint64) << np.uint64(32)) | a
    return cast(Array, (pair >> _funnel_count(count, clamp)).astype(np.uint32))


def bfe(a: Array, position: Array, length: Array) -> Array:
    """Extract a bit field; a signed one is extended with the field's top bit (or a's, if the field passes it)."""
    bits = bits_of(a)
    position, length = position & np.uint32(255), length & np.uint32(255)
    raw = unsigned_view(a)
    field = shr(raw, position) & _low_mask(raw, length)
    if a.dtype.kind == "u":
        return field
    top = np.minimum(position + length - np.uint32(1), np.uint32(bits - 1))
    sign = (raw >> top.astype(raw.dtype)) & raw.dtype.type(1)
    covered = np.where(position >= bits, np.uint32(0), np.minimum(length, np.uint32(bits) - position))
    extended = np.where((sign != 0) & (length != 0), field | ~_low_mask(raw, covered), field)
    return cast(Array, extended.view(a.dtype))


def bfi(field: Array, into: Array, position: Array, length: Array) -> Array:
    """Insert the low `length` bits of `field` at `position` of `into`."""
    position, length = position & np.uint32(255), length & np.uint32(255)
    mask = shl(_low_mask(into, length), position)
    return cast(Array, (into & ~mask) | (shl(field, position) & mask))


def _low_mask(like: Array, length: Array) -> Array:
    return ~shl(np.full(np.shape(like), ~like.dtype.type(0)), length)


def bmsk(position: Array, length: Array, clamp: bool) -> Array:
    """A mask of `length` ones from `position` up."""
    if not clamp:
        position, length = position & np.uint32(31), length & np.uint32(31)
    return shl(_low_mask(np.asarray(position), length), position)


def lop3(a: Array, b: Array, c: Array, table: int) -> Array:
    """Any function of three bits: bit (a<<2|b<<1|c) of the table."""
    result = a & a.dtype.type(0)
    for index in range(8):
        if table >> index & 1:
            term = a if index & 4 else ~a
            term = term & (b if index & 2 else ~b)
            result = result | (term & (c if index & 1 else ~c))
    return result


def prmt(a: Array, b: Array, selector: Array) -> Array:
    """Pick four bytes out of the eight of (b:a); a selector's bit 3 replicates the byte's sign instead."""
    pair = (b.astype(np.uint64) << np.uint64(32)) | a
    result = np.zeros(np.shape(pair), np.uint64)
    for index in range(4):
        nibble = (selector >> np.uint32(4 * index)) & np.uint32(15)
        byte = (pair >> ((nibble & np.uint32(7)) * np.uint32(8)).astype(np.uint64)) & np.uint64(255)
        sign = (byte >> np.uint64(7)) * np.uint64(255)
        result = result | (np.where(nibble & np.uint32(8), sign, byte) << np.uint64(8 * index))
    return cast(Array, result.astype(np.uint32))


def _parts(value: Array, bits: int) -> list[Array]:
    """The 8- or 16-bit fields of a 32-bit value, low first, with the signedness of its dtype."""
    shift = value.dtype.type(32 - bits)
    return [(value << value.dtype.type(32 - bits - low)) >> shift for low in range(0, 32, bits)]


def dp4a(a: Array, b: Array, c: Array) -> Array:
    """c plus the dot product of four bytes."""
    pairs = zip(_parts(a, 8), _parts(b, 8), strict=True)
    total = c.astype(np.int64) + sum(x.astype(np.int64) * y for x, y in pairs)
    return cast(Array, total.astype(np.uint32).view(c.dtype))


def dp2a(a: Array, b: Array, c: Array, first: int) -> Array:
    """c plus two 16-bit values times two bytes of b, from byte `first`."""
    pairs = zip(_parts(a, 16), _parts(b, 8)[first : first + 2], strict=True)
    total = c.astype(np.int64) + sum(x.astype(np.int64) * y for x, y in pairs)
    return cast(Array, total.astype(np.uint32).view(c.dtype))


def fns(mask: Array, base: Array, offset: Array) -> Array:
    """Find the n-th set bit of the mask from `base` (upwards for positive n, downwards for negative)."""
    mask, base, offset = np.broadcast_arrays(mask, base, offset)
    lanes = zip(mask.reshape(-1), base.reshape(-1), offset.reshape(-1), strict=True)
    found = np.array([_nth_set(int(m), int(b), int(o)) for m, b, o in lanes], np.uint32)
    return found.reshape(mask.shape)


def _nth_set(mask: int, base: int, offset: int) -> int:
    if offset == 0:
        return base if mask >> base & 1 else 0xFFFFFFFF
    step = 1 if offset > 0 else -1
    left, position = abs(offset), base
    while 0 <= position < 32:
        left -= mask >> position & 1
        if left == 0:
            return position
        position += step
    return 0xFFFFFFFF
