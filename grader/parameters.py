"""A kernel's parameters as the compiler sees them, and the conversion of Python arguments to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch

_SCALARS = {
    "bool": np.bool_,
    "char": np.int8,
    "signed char": np.int8,
    "unsigned char": np.uint8,
    "short": np.int16,
    "unsigned short": np.uint16,
    "int": np.int32,
    "unsigned int": np.uint32,
    "long": np.int64,
    "unsigned long": np.uint64,
    "long long": np.int64,
    "unsigned long long": np.uint64,
    "__half": np.float16,
    "float": np.float32,
    "double": np.float64,
}

_ELEMENTS = {
    "bool": (torch.bool,),
    "char": (torch.int8, torch.uint8),
    "signed char": (torch.int8,),
    "unsigned char": (torch.uint8, torch.int8, torch.bool, torch.float8_e4m3fn, torch.float8_e5m2),
    "short": (torch.int16,),
    "unsigned short": (torch.uint16, torch.int16, torch.float16, torch.bfloat16),
    "int": (torch.int32,),
    "unsigned int": (torch.uint32, torch.int32),
    "long": (torch.int64,),
    "unsigned long": (torch.uint64, torch.int64),
    "__half": (torch.float16,),
    "__nv_bfloat16": (torch.bfloat16,),
    "__nv_fp8_e4m3": (torch.float8_e4m3fn,),
    "__nv_fp8_e5m2": (torch.float8_e5m2,),
    "float": (torch.float32,),
    "double": (torch.float64,),
}
"""Element types that a pointer may point to; a type that is not listed (void, a struct) takes any tensor."""

_VECTORS = {"__half2": "__half", "__nv_bfloat162": "__nv_bfloat16"}

_SIGNATURE = re.compile(rb"kernel_ladder_signature\(\) \[with F\s?=\s?void \((.*?)\)\]\0")


@dataclass(frozen=True)
class Parameter:
    """One parameter; `text` is its type as the compiler writes it: "const float *", "int"."""

    text: str

    def convert(self, value: Any, device: str) -> Any:
        """`value` as the launcher wants it: a tensor for a pointer, else a NumPy scalar of the exact type.

        Raises TypeError, ValueError or OverflowError with what was wrong.
        """
        if self.text.endswith("*"):
            return self._pointer(value, device)
        if isinstance(value, torch.Tensor):
            raise TypeError(f"wants a number, got a tensor of shape {tuple(value.shape)}")
        dtype = _SCALARS.get(self.base)
        if dtype is None:
            if isinstance(value, (np.void, np.generic)):
                return value
            raise TypeError(f"got {type(value).__name__}; a struct is passed as a NumPy scalar of its layout")
        if isinstance(value, (float, np.floating)) and np.issubdtype(dtype, np.integer):
            raise TypeError(f"wants a whole number, got {value!r}")
        if not isinstance(value, (bool, int, float, np.generic)):
            raise TypeError(f"wants a number, got {type(value).__name__}")
        if np.issubdtype(dtype, np.integer):
            info = np.iinfo(dtype)
            if not info.min <= int(value) <= info.max:
                raise OverflowError(f"{value} does not fit")
        return dtype(value)

    @cached_property
    def base(self) -> str:
        """The type without const, volatile, pointer and vector width: "float" for "const float4 *"."""
        words = [word for word in self.text.rstrip("* ").split() if word not in ("const", "volatile")]
        name = " ".join(words).removeprefix("__nv_bool") or "bool"
        vector = re.fullmatch(r"(u?)(char|short|int|long|float|double)([1234])", name)
        if vector:
            return f"{'unsigned ' if vector[1] else ''}{vector[2]}"
        return _VECTORS.get(name, name)

    @property
    def is_vector(self) -> bool:
        return bool(re.search(r"(char|short|int|long|float|double)[1234]\b|__half2|bfloat162", self.text))

    def _pointer(self, value: Any, device: str) -> Any:
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"wants a tensor, got {type(value).__name__}")
        if value.device.type != device:
            raise TypeError(f"got a tensor on {value.device}; the kernel runs on {device}")
        allowed = _ELEMENTS.get(self.base)
        raw = self.is_vector and self.base in ("int", "unsigned int", "unsigned char")  # uint4: bytes, whatever they mean
        if allowed is not None and value.dtype not in allowed and not raw:
            raise TypeError(f"got a {str(value.dtype).removeprefix('torch.')} tensor")
        return value


def parse_signature(image: bytes) -> tuple[Parameter, ...]:
    """The parameters that the compiler wrote into a cubin (see cuda.load)."""
    found = _SIGNATURE.search(image)
    if found is None:
        raise RuntimeError("the compiled image holds no signature")
    text = found[1].decode()
    parts = re.split(r",\s*(?![^<]*>)", text) if text not in ("", "void") else []
    return tuple(Parameter(part.strip()) for part in parts)
