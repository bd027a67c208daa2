"""Arithmetic on f16 and bf16, alone or in packed pairs. Values are held as their bits (u16, or u32 for a pair).

Sums and products of two 11-bit (or 8-bit) significands computed in single precision and rounded again are correctly
rounded; a fused multiply-add goes through double precision with rounding to odd.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grader.vgpu import directed, fpmath
from grader.vgpu.types import Array

_CANONICAL_NAN = np.uint16(0x7FFF)


def f16_decode(bits: Array) -> Array:
    return bits.view(np.float16).astype(np.float32)


def f16_encode(value: Array) -> Array:
    """A float to f16, to nearest even. Doubles round once."""
    bits = value.astype(np.float16).view(np.uint16)
    return np.where(np.isnan(value), _CANONICAL_NAN, bits)


def bf16_decode(bits: Array) -> Array:
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def bf16_encode(value: Array) -> Array:
    """A float to bf16, to nearest even. Doubles round once."""
    single = fpmath.single_to_odd(value) if value.dtype == np.float64 else value
    bits = np.asarray(single).view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    return np.where(np.isnan(single), _CANONICAL_NAN, (rounded >> np.uint32(16)).astype(np.uint16))


def bf16_truncate(value: Array) -> Array:
    """A single to bf16, towards zero."""
    bits = (np.asarray(value).view(np.uint32) >> np.uint32(16)).astype(np.uint16)
    return np.where(np.isnan(value), _CANONICAL_NAN, bits)


def f16_directed(value: Array, mode: str) -> Array:
    """A float to f16, towards zero ("z"), down ("m") or up ("p")."""
    near = value.astype(np.float16)
    excess = near.astype(np.float64) - value
    return np.where(np.isnan(value), _CANONICAL_NAN, directed.direct(near, excess, mode).view(np.uint16))


DECODE = {"f16": f16_decode, "bf16": bf16_decode}
ENCODE = {"f16": f16_encode, "bf16": bf16_encode}


def encode(value: Array, type_: str, mode: str) -> Array:
    """A float to the bits of f16 or bf16, rounded by `mode` ("" and "n": to nearest even)."""
    if mode in ("", "n"):
        return ENCODE[type_](value)
    if type_ == "f16":
        return f16_directed(value, mode)
    single = directed.narrow_directed(value, mode) if value.dtype == np.float64 else value
    return bf16_truncate(single)


def unpack(pair: Array) -> tuple[Array, Array]:
    """(low, high) 16-bit halves of a 32-bit value."""
    return pair.astype(np.uint16), (pair >> np.uint32(16)).astype(np.uint16)


def pack(low: Array, high: Array) -> Array:
    return low.astype(np.uint32) | (high.astype(np.uint32) << np.uint32(16))


def _fma(a: Array, b: Array, c: Array) -> Array:
    return fpmath.sum_to_odd(a.astype(np.float64) * b, c.astype(np.float64))


_OPERATIONS: dict[str, Callable[..., Array]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "fma": _fma,
    "min": fpmath.float_min,
    "max": fpmath.float_max,
    "min_nan": lambda a, b: fpmath.nan_if_nan(fpmath.float_min(a, b), a, b),
    "max_nan": lambda a, b: fpmath.nan_if_nan(fpmath.float_max(a, b), a, b),
    "ex2": lambda a: np.exp2(a.astype(np.float64)),
    "tanh": lambda a: np.tanh(a.astype(np.float64)),
}
_TINY = {"f16": 2.0**-14, "bf16": 2.0**-126}  # the smallest normal numbers
# Results below these are flushed: those that rounding to 11 or 8 bits of any exponent leaves below the normal numbers
# (hardware detects underflow after rounding; the ISA does not say).
_UNDERFLOW = {"f16": (1 - 2.0**-12) * 2.0**-14, "bf16": (1 - 2.0**-9) * 2.0**-126}


def flush_f16(value: Array) -> Array:
    """Flush the values of subnormal f16 (as singles) to zero of the same sign."""
    return _flush(value, _TINY["f16"])


def _flush(value: Array, smallest: float) -> Array:
    return np.where(np.abs(value) < smallest, np.copysign(np.float32(0), value), value)


def half_op(op: str, type_: str, finish: str, flush: bool, *operands: Array) -> Array:
    """Apply an operation to f16, bf16, f16x2 or bf16x2 values; `finish` is "", "sat" or "relu", `flush` is .ftz."""
    base = type_.removesuffix("x2")
    if not type_.endswith("x2"):
        return _scalar_op(op, base, finish, flush, operands)
    halves = [unpack(operand) for operand in operands]
    low = _scalar_op(op, base, finish, flush, tuple(pair[0] for pair in halves))
    high = _scalar_op(op, base, finish, flush, tuple(pair[1] for pair in halves))
    return pack(low, high)


def _scalar_op(op: str, base: str, finish: str, flush: bool, operands: tuple[Array, ...]) -> Array:
    values = [DECODE[base](operand) for operand in operands]
    if flush:
        values = [_flush(value, _TINY[base]) for value in values]
    result = _OPERATIONS[op](*values)
    if flush:
        result = _flush(result, _UNDERFLOW[base])
    if finish == "sat":
        result = fpmath.saturate(result)
    elif finish == "relu":
        result = fpmath.relu(result)
    return ENCODE[base](result)


def half_sign(op: str, type_: str, flush: bool, value: Array) -> Array:
    """neg and abs, which only touch sign bits; `flush` (.ftz, for f16) makes zeros of subnormal numbers."""
    for shift in (0, 16)[: value.dtype.itemsize // 2] if flush else ():
        exponent, fraction = value.dtype.type(0x7C00 << shift), value.dtype.type(0x03FF << shift)
        value = np.where((value & exponent) == 0, value & ~fraction, value)
    sign = value.dtype.type(0x80008000 if type_.endswith("x2") else 0x8000)
    return value ^ sign if op == "neg" else value & ~sign
