"""The 8-bit floating-point formats e4m3 (no infinity, largest value 448) and e5m2 (largest finite value 57344)."""

from __future__ import annotations

from functools import cache

import numpy as np

from grader.vgpu.types import Array

_BIAS = {"e4m3": 7, "e5m2": 15}
_FRACTION = {"e4m3": 3, "e5m2": 2}


@cache
def _values(format_: str) -> Array:
    """The value of each of the 256 codes."""
    codes = np.arange(256)
    fraction_bits = _FRACTION[format_]
    exponent = (codes & 127) >> fraction_bits
    fraction = codes & ((1 << fraction_bits) - 1)
    scale = 2.0 ** (np.maximum(exponent, 1) - _BIAS[format_])
    value = (fraction / (1 << fraction_bits) + (exponent > 0)) * scale
    if format_ == "e4m3":
        value[(codes & 127) == 127] = np.nan
    else:
        value[(codes & 127) == 0x7C] = np.inf
        value[(codes & 127) > 0x7C] = np.nan
    return np.where(codes & 128, -value, value).astype(np.float32)


def decode(codes: Array, format_: str) -> Array:
    """Codes to single precision, exactly."""
    return _values(format_)[codes]


def encode(value: Array, format_: str) -> Array:
    """Singles to codes, to nearest even; values too large become the largest finite one (satfinite), NaN stays."""
    positive = _values(format_)[:128].astype(np.float64)
    finite = positive[np.isfinite(positive)]
    magnitude = np.minimum(np.abs(value.astype(np.float64)), finite[-1])
    upper = np.searchsorted(finite, magnitude)  # the first code whose value is at least the magnitude
    lower = np.maximum(upper - 1, 0)
    below, above = magnitude - finite[lower], finite[np.minimum(upper, finite.size - 1)] - magnitude
    take_lower = (below < above) | ((below == above) & (lower % 2 == 0))
    code = np.where(take_lower, lower, upper)
    code = np.where(np.isnan(value), 127, code).astype(np.uint8)
    return np.where(np.signbit(value) & ~np.isnan(value), code | np.uint8(128), code)
