"""How a warp's lanes hold a matrix: the fragment layouts of mma.sync, wmma and ldmatrix.

mma.sync layouts are those of the PTX ISA manual ("Matrix Fragments for mma"). The layout of wmma fragments is not
specified, so any one that holds each element the documented number of times will do.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from grader.vgpu import fp8
from grader.vgpu.halfmath import bf16_decode, f16_decode, f16_encode
from grader.vgpu.types import Array

BITS = {
    **{"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "s32": 32, "f64": 64},
    **{"s8": 8, "u8": 8, "e4m3": 8, "e5m2": 8, "s4": 4, "u4": 4},
}
Table = tuple[Array, Array]  # (row, column) of element e of lane l, at [l, e]


@cache
def operand_a(rows: int, k: int, type_: str) -> Table:
    """Fragment of A (rows x k) for mma.sync."""
    per = max(32 // BITS[type_], 1)
    lane, register, item = _grid(rows * k // (32 * per), per)
    strips = rows // 8
    row = lane // 4 + 8 * (register % strips)
    column = (register // strips) * 4 * per + (lane % 4) * per + item
    return _flat(row), _flat(column)


@cache
def operand_b(k: int, columns: int, type_: str) -> Table:
    """Fragment of B (k x columns) for mma.sync."""
    per = max(32 // BITS[type_], 1)
    lane, register, item = _grid(k * columns // (32 * per), per)
    return _flat(register * 4 * per + (lane % 4) * per + item), _flat(lane // 4 + 0 * register * item)


@cache
def accumulator(rows: int) -> Table:
    """Fragment of C and D (rows x 8) for mma.sync."""
    lane, pair, item = _grid(rows // 8, 2)
    return _flat(lane // 4 + 8 * pair + 0 * item), _flat((lane % 4) * 2 + item + 0 * pair)


@cache
def opaque(rows: int, columns: int, per_lane: int) -> Table:
    """A wmma fragment: element e of lane l is number l * per_lane + e, wrapping around if held more than once."""
    number = np.arange(32 * per_lane).reshape(32, per_lane) % (rows * columns)
    return number // columns, number % columns


def _grid(registers: int, per: int) -> tuple[Array, Array, Array]:
    lane, register, item = np.meshgrid(np.arange(32), np.arange(registers), np.arange(per), indexing="ij")
    return lane, register, item


def _flat(values: Array) -> Array:
    return values.reshape(32, -1)


def decode(registers: list[Array], type_: str) -> Array:
    """Registers (each (warps, 32), unsigned bits) to values: (warps, 32, elements), as float64."""
    words = np.ascontiguousarray(np.stack(registers, axis=-1))
    if type_ in ("f32", "f64"):
        return words.view(np.float32 if type_ == "f32" else np.float64).astype(np.float64)
    if type_ == "tf32":
        return (words & np.uint32(0xFFFFE000)).view(np.float32).astype(np.float64)
    if type_ == "s32":
        return words.view(np.int32).astype(np.float64)
    if type_ in ("f16", "bf16"):
        halves = words.view(np.uint16)
        return (f16_decode(halves) if type_ == "f16" else bf16_decode(halves)).astype(np.float64)
    octets = words.view(np.uint8)
    if type_ in ("s4", "u4"):
        nibbles = np.stack([octets & np.uint8(15), octets >> np.uint8(4)], axis=-1).reshape(*octets.shape[:-1], -1)
        return nibbles - 16.0 * (nibbles > 7) if type_ == "s4" else nibbles.astype(np.float64)
    if type_ in ("e4m3", "e5m2"):
        return fp8.decode(octets, type_).astype(np.float64)
    return octets.view(np.int8).astype(np.float64) if type_ == "s8" else octets.astype(np.float64)


def encode(values: Array, type_: str, saturate: bool) -> list[Array]:
    """Values (warps, 32, elements) in double precision to registers of (warps, 32) unsigned bits."""
    if type_ == "f64":
        words = np.ascontiguousarray(values).view(np.uint64)
    elif type_ == "f32":
        words = values.astype(np.float32).view(np.uint32)
    elif type_ == "s32":
        limited = np.clip(values, -(2.0**31), 2.0**31 - 1) if saturate else values
        words = limited.astype(np.int64).astype(np.uint32)
    else:
        words = np.ascontiguousarray(f16_encode(values)).view(np.uint32)
    return [np.ascontiguousarray(words[..., i]) for i in range(words.shape[-1])]


def to_matrix(values: Array, table: Table, rows: int, columns: int) -> Array:
    """Fragment values to matrices: (warps, rows, columns)."""
    matrix = np.zeros((values.shape[0], rows, columns), values.dtype)
    matrix[:, table[0], table[1]] = values
    return matrix


def from_matrix(matrix: Array, table: Table) -> Array:
    return matrix[:, table[0], table[1]]
