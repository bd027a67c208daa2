"""PTX types and the forms in which register values are held.

A form names a NumPy dtype: "u32", "s64", "f32", "pred" ... A register has one home form (see analysis.py); inside a
block the same bits may also be viewed in other forms of the same width. bf16 and fp8 have no dtype and stay integers;
so do packed pairs (f16x2).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

# A lane vector (np.ndarray), or a NumPy scalar that is the same in every lane. NumPy's type parameters cannot say
# "either, of a dtype that the PTX text decides", so the checker does not look inside.
Array: TypeAlias = Any

DTYPES: dict[str, Any] = {
    "u8": np.uint8,
    "s8": np.int8,
    "u16": np.uint16,
    "s16": np.int16,
    "f16": np.float16,
    "u32": np.uint32,
    "s32": np.int32,
    "f32": np.float32,
    "u64": np.uint64,
    "s64": np.int64,
    "f64": np.float64,
    "pred": np.bool_,
}

WIDTHS: dict[str, int] = {  # PTX type -> bits
    **{f"{kind}{bits}": bits for kind in "bus" for bits in (8, 16, 32, 64)},
    "f16": 16,
    "bf16": 16,
    "f16x2": 32,
    "bf16x2": 32,
    "f32": 32,
    "f64": 64,
    "pred": 1,
    "tf32": 32,
    "e4m3x2": 16,
    "e5m2x2": 16,
    "b128": 128,
}

_FORM = {"bf16": "u16", "f16x2": "u32", "bf16x2": "u32", "tf32": "u32", "e4m3x2": "u16", "e5m2x2": "u16"}


def form_of(ptx_type: str) -> str:
    """The form in which values of a PTX type are computed: untyped bits count as unsigned."""
    if ptx_type in _FORM:
        return _FORM[ptx_type]
    return "u" + ptx_type[1:] if ptx_type[0] == "b" else ptx_type


def width(form: str) -> int:
    """Bits of a form."""
    return WIDTHS[form]


def is_float(form: str) -> bool:
    return form[0] == "f"


def unsigned(form: str) -> str:
    """The unsigned form of the same width."""
    return f"u{width(form)}"


def undefined(form: str) -> Array:
    """What a register holds that nobody has written: not 0, with which a sum that was never begun would come out
    right. NaN where it is a float; all bits set in integers, which read as a float are NaN as well.
    """
    dtype = np.dtype(DTYPES[form])
    if dtype.kind == "f":
        return dtype.type("nan")
    return np.zeros((), dtype)[()] if dtype.kind == "b" else ~np.zeros((), dtype)[()]
