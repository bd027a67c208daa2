"""Conversions between number formats (cvt). Values of bf16, fp8, tf32 and packed pairs are held as bits."""

from __future__ import annotations

import numpy as np

from grader.vgpu import directed, fp8, fpmath, halfmath
from grader.vgpu.types import DTYPES, Array

_ROUND = {"i": np.rint, "ni": np.rint, "zi": np.trunc, "mi": np.floor, "pi": np.ceil}


def int_to_int(value: Array, target: str, saturate: bool) -> Array:
    """Truncate or extend; with `saturate`, clamp to the target's range."""
    dtype = DTYPES[target]
    if not saturate:
        return value.astype(dtype)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    source = np.iinfo(value.dtype)
    clipped = np.clip(value, value.dtype.type(max(low, source.min)), value.dtype.type(min(high, source.max)))
    return clipped.astype(dtype)


def float_to_int(value: Array, target: str, mode: str) -> Array:
    """Round by `mode` ("ni", "zi", "mi", "pi"), clamp to the target's range. NaN gives 0, or the top bit alone
    if either side has 64 bits: so hardware and, since version 9.0, the ISA (before, NaN was to give 0)."""
    dtype = DTYPES[target]
    limits = np.iinfo(dtype)
    rounded = np.asarray(_ROUND[mode](value.astype(np.float64)))
    too_low, too_high = rounded <= float(limits.min), rounded >= float(limits.max)
    nan = np.isnan(rounded)
    safe = np.where(too_low | too_high | nan, 0.0, rounded)
    wide = safe.astype(np.uint64 if target == "u64" else np.int64)
    result = (
        np.where(too_low, limits.min, np.where(too_high, limits.max, wide))
        if target != "u64"
        else np.where(too_low, np.uint64(0), np.where(too_high, np.uint64(limits.max), wide))
    )
    unknown = dtype(1) << dtype(limits.bits - 1) if 64 in (limits.bits, 8 * value.dtype.itemsize) else 0
    return np.where(nan, unknown, result).astype(dtype)


def int_to_float(value: Array, target: str, mode: str) -> Array:
    """An integer to f32 or f64 (or f16's bits, to nearest), rounded by `mode` ("n", "z", "m", "p")."""
    if target in ("f16", "bf16"):
        return halfmath.encode(value.astype(np.float64), target, mode)
    near = value.astype(DTYPES[target])
    if mode in ("", "n"):
        return near
    return directed.direct(near, _excess(near, value), mode)


def _excess(near: Array, value: Array) -> Array:
    """The sign of near - value, for integers of up to 64 bits (which a double cannot hold exactly)."""
    if value.dtype.itemsize < 8:
        return near.astype(np.float64) - value
    edge = 2.0 ** (64 if value.dtype.kind == "u" else 63)
    over = near >= edge
    back = np.where(over, 0, near).astype(value.dtype)
    return np.where(over, 1.0, (back > value).astype(float) - (back < value).astype(float))


def float_to_float(value: Array, target: str, mode: str) -> Array:
    """Between f32 and f64, or from one of them to the bits of f16 or bf16."""
    if target in ("f16", "bf16"):
        return halfmath.encode(value, target, mode)
    if mode in ("", "n") or value.dtype == DTYPES[target] or target == "f64":
        return value.astype(DTYPES[target])
    return directed.narrow_directed(value, mode)


def float_to_integral(value: Array, mode: str) -> Array:
    """cvt.rni.f32.f32 and its kin: round to an integer, kept as a float."""
    return _ROUND[mode](value).astype(value.dtype)


def decode(bits: Array, source: str) -> Array:
    """f16 or bf16 bits to single precision."""
    return halfmath.DECODE[source](bits)


def pack_two(high: Array, low: Array, target: str, mode: str, clamp: str) -> Array:
    """Two singles to a packed pair; `clamp` is "", "relu" or "satfinite"."""
    if clamp == "relu":
        high, low = fpmath.relu(high), fpmath.relu(low)
    if target in ("e4m3x2", "e5m2x2"):
        encoded = [fp8.encode(value, target[:4]).astype(np.uint16) for value in (low, high)]
        return encoded[0] | (encoded[1] << np.uint16(8))
    base = target.removesuffix("x2")
    return halfmath.pack(halfmath.encode(low, base, mode), halfmath.encode(high, base, mode))


def pack_saturated(high: Array, low: Array, target: str, above: Array | None) -> Array:
    """cvt.pack: two s32 saturated to `target` ("s8", "u16" ...), below `above` shifted up."""
    bits = int(target[1:])
    smallest, largest = (-(1 << bits - 1), (1 << bits - 1) - 1) if target[0] == "s" else (0, (1 << bits) - 1)
    mask = np.int64((1 << bits) - 1)
    first, second = (np.clip(value.astype(np.int64), smallest, largest) & mask for value in (high, low))
    word = (first << np.int64(bits) | second).astype(np.uint32)
    return word if above is None else word | above << np.uint32(2 * bits)


def fp8_pair_to_f16x2(bits: Array, source: str) -> Array:
    """e4m3x2 or e5m2x2 to f16x2, exactly."""
    low, high = bits & np.uint16(255), bits >> np.uint16(8)
    values = [halfmath.f16_encode(fp8.decode(part.astype(np.uint8), source[:4])) for part in (low, high)]
    return halfmath.pack(*values)


def f16x2_to_fp8_pair(bits: Array, target: str) -> Array:
    low, high = (halfmath.f16_decode(part) for part in halfmath.unpack(bits))
    return pack_two(high, low, target, "n", "satfinite")


def to_tf32(value: Array, mode: str) -> Array:
    """A single to tf32 bits: 10 bits of fraction, to nearest with ties away ("na") or to even ("n"), or towards zero.

    The ISA leaves NaN open. On hardware "na" only drops bits, so that a NaN whose payload lies in them becomes an
    infinity; the other modes give the canonical NaN.
    """
    bits = np.asarray(value).view(np.uint32)
    even = (bits >> np.uint32(13)) & np.uint32(1) if mode == "n" else np.uint32(1)
    step = np.uint32(0) if mode == "z" else np.uint32(0xFFF) + even
    rounded = np.where(np.isfinite(value), bits + step, bits)
    if mode != "na":
        rounded = np.where(np.isnan(value), np.uint32(0x7FFFFFFF), rounded)
    return rounded & np.uint32(0xFFFFE000)
