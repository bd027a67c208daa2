"""How close the virtual GPU's results must be to the hardware's.

"exact": the same bits, but any NaN equals any other. "rel n", "abs n", "either n": within 2**-n of the value, or
absolutely, or one of both (the ISA manual states errors so), plus half a unit in the last place for the virtual GPU's
own rounding. "magnitude n": within 2**-n of the sum of the products' magnitudes, for matrix instructions, whose
additions hardware rounds in ways that the manual leaves open.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from parity_values import Column, width

Mask = npt.NDArray[np.bool_]
Values = npt.NDArray[np.float64]
_NAN = {"e4m3": (0x7F, 0x7F), "e5m2": (0x7F, 0x7D), "f16": (0x7FFF, 0x7C01), "bf16": (0x7FFF, 0x7F81)}
_NAN |= {"f32": (2**31 - 1, 0x7F800001), "f64": (2**63 - 1, (0x7FF << 52) + 1)}
_UNITS = {"f16": (11, -24), "bf16": (8, -133), "f32": (24, -149), "f64": (53, -1074)}  # digits, smallest exponent


def disagreement(rule: str, type_: str, got: Column, want: Column, scale: Column | None = None) -> tuple[Mask, float]:
    """(lanes whose results differ too much, the largest error in units of the bound; 0 for exact rules).

    `got` is the hardware's result, `want` the virtual GPU's; `scale` is the latter for inputs made positive.
    """
    if type_.endswith("x2"):
        return _halves(rule, type_[:-2], got, want, scale)
    same = (got == want) | (_is_nan(type_, got) & _is_nan(type_, want))
    if rule == "exact":
        return ~same, 0.0
    kind, bits = rule.split()
    g, w = decode(type_, got), decode(type_, want)
    with np.errstate(all="ignore"):
        bound = _bound(kind, 2.0 ** -float(bits), w, None if scale is None else decode(type_, scale))
        digits, smallest = _UNITS[type_]
        bound = bound + np.maximum(np.abs(w) * 2.0**-digits, 2.0**smallest)
        error = np.where(same, 0.0, np.abs(g - w) / bound)
    error = np.where(np.isnan(error), np.inf, error)
    return error > 1, float(error.max(initial=0.0))


def _bound(kind: str, unit: float, value: Values, scale: Values | None) -> Values:
    if kind == "abs":
        return np.full(value.shape, unit)
    if kind == "magnitude":
        assert scale is not None
        return np.abs(scale) * unit
    return np.abs(value) * unit if kind == "rel" else np.maximum(np.abs(value), 1.0) * unit


def _halves(rule: str, type_: str, got: Column, want: Column, scale: Column | None) -> tuple[Mask, float]:
    bits = np.uint64(width(type_))
    mask = (np.uint64(1) << bits) - np.uint64(1)
    low = disagreement(rule, type_, got & mask, want & mask, None if scale is None else scale & mask)
    high = disagreement(rule, type_, got >> bits, want >> bits, None if scale is None else scale >> bits)
    return low[0] | high[0], max(low[1], high[1])


def _is_nan(type_: str, values: Column) -> Mask:
    if type_ not in _NAN:
        return np.zeros(values.shape, np.bool_)
    mask, first = _NAN[type_]
    return np.asarray((values & np.uint64(mask)) >= np.uint64(first))


def decode(type_: str, values: Column) -> Values:
    """Bits to doubles."""
    if type_ == "bf16":
        return (values.astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
    bits = values.astype(f"u{width(type_) // 8}")
    return bits.view({"f16": np.float16, "f32": np.float32, "f64": np.float64}[type_]).astype(np.float64)


def positive(kind: str, values: Column) -> Column:
    """Inputs without their signs."""
    type_ = kind.split(":")[0]
    signs = {"f16x2": 0x80008000, "bf16x2": 0x80008000, "f64": 1 << 63}.get(type_, 1 << 31)
    signs = 0x80808080 if kind == "b32:octets" else signs
    return values & ~np.uint64(signs)
