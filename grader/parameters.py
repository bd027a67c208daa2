"""A kernel's parameters as the compiler sees them, and the conversion of Python arguments to them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch

_SCALARS: dict[str, type[np.generic]] = {
    "bool": np.bool_,
    "__nv_bool": np.bool_,
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
    "__nv_bool": (torch.bool,),
    "char": (torch.int8, torch.uint8),
    "signed char": (torch.int8,),
    "unsigned char": (torch.uint8, torch.int8, torch.bool, torch.float8_e4m3fn, torch.float8_e5m2),
    "short": (torch.int16,),
    "unsigned short": (torch.uint16, torch.int16, torch.float16, torch.bfloat16),
    "int": (torch.int32,),
    "unsigned int": (torch.uint32, torch.int32),
    "long": (torch.int64,),
    "unsigned long": (torch.uint64, torch.int64),
    "long long": (torch.int64,),
    "unsigned long long": (torch.uint64, torch.int64),
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
    """One parameter; `text` is its type as the compiler writes it: "const float *", "int"; `name` may be unknown."""

    text: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.text}{self.name}" if self._is_pointer else f"{self.text} {self.name}".rstrip()

    def convert(self, value: Any, device: str) -> Any:
        """`value` as the launcher wants it: a tensor for a pointer, else a NumPy scalar of the exact type.

        Raises TypeError, ValueError or OverflowError with what was wrong.
        """
        if self._is_pointer:
            return self._pointer(value, device)
        if isinstance(value, torch.Tensor):
            raise TypeError(f"wants a number, got a tensor of shape {tuple(value.shape)}")
        if self._scalar is None:
            if isinstance(value, np.generic):
                return value
            raise TypeError(f"got {type(value).__name__}; a struct is passed as a NumPy scalar of its layout")
        if not isinstance(value, (bool, int, float, np.generic)):
            raise TypeError(f"wants a number, got {type(value).__name__}")
        if self._range is not None:
            if isinstance(value, (float, np.floating)):
                raise TypeError(f"wants a whole number, got {value!r}")
            if not self._range[0] <= int(value) <= self._range[1]:
                raise OverflowError(f"{value} does not fit")
        return self._scalar(value)

    def _pointer(self, value: Any, device: str) -> Any:
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"wants a tensor, got {type(value).__name__}")
        if value.device.type != device:
            raise TypeError(f"got a tensor on {value.device}; the kernel runs on {device}")
        if self._elements is not None and value.dtype not in self._elements:
            raise TypeError(f"got a {str(value.dtype).removeprefix('torch.')} tensor")
        return value

    # A launch costs microseconds, so what depends on the type alone is worked out once.

    @cached_property
    def _is_pointer(self) -> bool:
        return self.text.endswith("*")

    @cached_property
    def _base(self) -> tuple[str, bool]:
        """The type without const, pointer and vector width, and whether it was a vector: "float4" is float."""
        words = [word for word in self.text.rstrip("* ").split() if word not in ("const", "volatile")]
        name = " ".join(words)
        vector = re.fullmatch(r"(u?)(char|short|int|long|float|double)[1234]", name)
        if vector:
            return f"{'unsigned ' if vector[1] else ''}{vector[2]}", True
        return _VECTORS.get(name, name), name in _VECTORS

    @cached_property
    def _scalar(self) -> Any:
        return _SCALARS.get(self._base[0])

    @cached_property
    def _range(self) -> tuple[int, int] | None:
        if self._scalar is None or not np.issubdtype(self._scalar, np.integer):
            return None
        info = np.iinfo(self._scalar)
        return int(info.min), int(info.max)

    @cached_property
    def _elements(self) -> tuple[torch.dtype, ...] | None:
        """The tensor types that the pointer takes; None for any (void, structs, and int4 and its like: raw bytes)."""
        base, is_vector = self._base
        return None if is_vector and self._range else _ELEMENTS.get(base)


def parse_signature(image: bytes, names: Sequence[str] = ()) -> tuple[Parameter, ...]:
    """The parameters that the compiler wrote into a cubin (see cuda.load), with `names` if there are as many."""
    found = _SIGNATURE.search(image)
    if found is None:
        raise RuntimeError("the compiled image holds no signature")
    text = found[1].decode()
    parts = re.split(r",\s*(?![^<]*>)", text) if text not in ("", "void") else []
    named = names if len(names) == len(parts) else [""] * len(parts)
    return tuple(Parameter(part.strip(), name) for part, name in zip(parts, named, strict=True))
