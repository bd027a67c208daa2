"""Bit functions that NumPy lacks, with PTX's results in the corner cases."""

from __future__ import annotations

import numpy as np

from grader.vgpu.intmath import bits_of, unsigned_view
from grader.vgpu.types import Array


def popc(a: Array) -> Array:
    return np.bitwise_count(unsigned_view(a)).astype(np.uint32)


def clz(a: Array) -> Array:
    """Leading zeros; the width itself for zero."""
    bits = bits_of(a)
    return np.uint32(bits) - popc(_smear(unsigned_view(a)))


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
    return position


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
    return (pair >> _funnel_count(count, clamp)).astype(np.uint32)


def _field(number: Array, bits: int) -> Array:
    """A position or length of a field. The ISA takes them modulo 256; so does hardware for 32 bits, but the 64-bit
    forms, which it makes of several instructions, heed the whole number."""
    return number & np.uint32(255) if bits == 32 else np.minimum(number, np.uint32(255))


def bfe(a: Array, position: Array, length: Array) -> Array:
    """Extract a bit field; a signed one is extended with the field's top bit (or a's, if the field passes it)."""
    bits = bits_of(a)
    position, length = _field(position, bits), _field(length, bits)
    raw = unsigned_view(a)
    field = shr(raw, position) & _low_mask(raw, length)
    if a.dtype.kind == "u":
        return field
    top = np.minimum(position + length - np.uint32(1), np.uint32(bits - 1))
    sign = (raw >> top.astype(raw.dtype)) & raw.dtype.type(1)
    covered = np.where(position >= bits, np.uint32(0), np.minimum(length, np.uint32(bits) - position))
    extended = np.where((sign != 0) & (length != 0), field | ~_low_mask(raw, covered), field)
    return extended.view(a.dtype)


def bfi(field: Array, into: Array, position: Array, length: Array) -> Array:
    """Insert the low `length` bits of `field` at `position` of `into`."""
    position, length = _field(position, bits_of(into)), _field(length, bits_of(into))
    mask = shl(_low_mask(into, length), position)
    return (into & ~mask) | (shl(field, position) & mask)


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
    return result.astype(np.uint32)


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
