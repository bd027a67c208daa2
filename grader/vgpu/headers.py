"""The C and C++ headers that CUDA sources include out of habit, for a compiler that has no host library.

NVRTC knows printf, assert and the mathematical functions by itself; the rest comes from libcu++ (<cuda/std/...>),
whose names are also made known in namespace std. Macros have the values of IEEE 754 and POSIX.
"""

from __future__ import annotations

from collections.abc import Mapping

_FLOAT = """
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
"""

_MATH = """
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_2_SQRTPI 1.12837916709551257390
#define M_LOG2E 1.4426950408889634074
#define M_LN2 0.69314718055994530942
"""


def _library(name: str) -> str:
    return f"#include <cuda/std/{name}>\nnamespace std {{ using namespace ::cuda::std; }}\n"


_TEXTS: Mapping[str, str] = {
    "assert.h": "",
    "float.h": _FLOAT,
    "limits.h": "#include <cuda/std/climits>\n",
    "math.h": _MATH,
    "stddef.h": _library("cstddef"),
    "stdint.h": _library("cstdint"),
    "stdio.h": "",
}

HEADERS: Mapping[str, str] = {
    **{name: f"#pragma once\n{text}" for name, text in _TEXTS.items()},
    **{f"c{name.removesuffix('.h')}": f"#pragma once\n{text}" for name, text in _TEXTS.items()},
    **{name: f"#pragma once\n{_library(name)}" for name in ("array", "limits", "type_traits", "utility")},
}
"""Text by the name in angle brackets."""
