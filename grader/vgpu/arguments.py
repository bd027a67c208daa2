"""Kernel arguments: from Python values to the bytes of the parameter buffer."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.vgpu.bytestore import Bytes
from grader.vgpu.errors import LaunchError
from grader.vgpu.layout import Layout
from grader.vgpu.ptx import Variable
from grader.vgpu.segments import SegmentTable


def pack_arguments(
    params: Sequence[Variable], layout: Layout, args: Sequence[Any], segments: SegmentTable, names: Sequence[str]
) -> Bytes:
    """The parameter buffer. Tensors become device addresses. Raises LaunchError."""
    if len(args) != len(params):
        types = ["array or u64" if param.type == "u64" else param.type for param in params]
        wanted = [f"{names[i]} ({type_})" if i < len(names) else type_ for i, type_ in enumerate(types)]
        raise LaunchError(
            f"the kernel has {len(params)} parameters: {', '.join(wanted) or 'none'}; got {len(args)} arguments"
        )
    labels = [names[i] if i < len(names) else f"argument {i}" for i in range(len(args))]
    tensors = [(i, arg) for i, arg in enumerate(args) if is_tensor(arg)]
    placed = segments.add_tensors([(labels[i], arg) for i, arg in tensors])
    addresses = {i: address for (i, _), address in zip(tensors, placed, strict=True)}
    data = np.zeros(layout.param_size, np.uint8)
    for index, (param, arg) in enumerate(zip(params, args, strict=True)):
        value = addresses.get(index, arg)
        raw = encode(param, value, labels[index])
        at = layout.param_offsets[param.name]
        data[at : at + param.size] = np.frombuffer(raw, np.uint8)
    return data


def is_tensor(value: Any) -> bool:
    return (isinstance(value, np.ndarray) and value.ndim > 0) or hasattr(value, "data_ptr")


def encode(param: Variable, value: Any, label: str) -> bytes:
    """One argument as the bytes of its parameter. Raises LaunchError if it cannot be that."""
    if value is None:
        value = 0
    if isinstance(value, (bytes, bytearray)):
        raw = bytes(value)
    elif isinstance(value, (np.generic, np.ndarray)):
        raw = value.tobytes()
    elif isinstance(value, (ctypes.Structure, ctypes.Array)):
        raw = bytes(value)
    else:
        raw = _encode_number(param, value, label)
    if len(raw) != param.size:
        raise LaunchError(f"{label} has {len(raw)} bytes, the parameter ({param.type}) has {param.size}")
    return raw


def _encode_number(param: Variable, value: Any, label: str) -> bytes:
    floating = {"f32": "<f", "f64": "<d", "f16": "<e"}.get(param.type)
    if floating and isinstance(value, (int, float)):
        return struct.pack(floating, value)
    if isinstance(value, bool):
        value = int(value)
    if isinstance(value, float):
        raise LaunchError(f"{label} is the float {value}, but the parameter is an integer ({param.type})")
    if not isinstance(value, int):
        raise LaunchError(f"{label} is a {type(value).__name__}; expected a tensor, a number or bytes")
    bits = 8 * param.size
    if not -(1 << (bits - 1)) <= value < 1 << bits:
        raise LaunchError(f"{label} is {value}, which does not fit the parameter's {bits} bits")
    return (value & ((1 << bits) - 1)).to_bytes(param.size, "little")
