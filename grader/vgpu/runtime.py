"""The names that generated code may use."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.vgpu import bitmath, convert, directed, fpmath, halfmath, intmath, matrix
from grader.vgpu.lanes import put, take
from grader.vgpu.special import special
from grader.vgpu.types import DTYPES


def _public(module: Any) -> dict[str, Any]:
    own = module.__name__
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == own
    }


NAMESPACE: dict[str, Any] = {
    **_public(intmath),
    **_public(bitmath),
    **_public(fpmath),
    **_public(directed),
    **_public(halfmath),
    **_public(convert),
    **_public(matrix),
    "take": take,
    "put": put,
    "special": special,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "copysign": np.copysign,
    **{form: dtype for form, dtype in DTYPES.items() if form != "pred"},
}
