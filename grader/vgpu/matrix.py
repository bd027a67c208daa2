"""Executes matrix instructions for the warps of a group. Products and sums are computed in double precision and
rounded once; real tensor cores round differently in the last bits (their rounding is not specified)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu import fragments
from grader.vgpu.lanes import LaneIndex, Selection
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine

Shape = tuple[int, int, int]  # m, n, k


def whole_warps(engine: Engine, selection: Selection, pc: int) -> LaneIndex | None:
    """The group's lanes if they are whole warps of 32; else report the warp and return None."""
    lanes = engine.lanes(selection)
    counts = np.bincount(engine.warp_of[lanes], minlength=engine.warp_count)
    partial = np.flatnonzero((counts != 0) & (counts != 32))
    if partial.size == 0:
        return lanes
    lane = int(lanes[np.flatnonzero(engine.warp_of[lanes] == partial[0])[0]])
    text = f"{engine.who(lane)} runs a matrix instruction without all 32 lanes of its warp"
    engine.log.add("inactive lane", pc, text)
    return None


def _rows(values: list[Array], count: int) -> list[Array]:
    return [np.broadcast_to(value, (count,)).reshape(-1, 32) for value in values]


def multiply(
    engine: Engine,
    shape: Shape,
    types: tuple[str, str, str, str],
    a: list[Array],
    b: list[Array],
    c: list[Array],
    opaque: bool,
    saturate: bool,
    selection: Selection,
    pc: int,
) -> list[Array]:
    """D = A * B + C; `types` are those of D, A, B, C. Registers in and out are unsigned bits, one per lane."""
    lanes = whole_warps(engine, selection, pc)
    size = engine.lanes(selection).size
    m, n, k = shape
    d_type, a_type, b_type, c_type = types
    if lanes is None:
        return [np.zeros(size, value.dtype) for value in c]
    pieces = [
        fragments.decode(_rows(registers, size), type_)
        for registers, type_ in ((a, a_type), (b, b_type), (c, c_type))
    ]
    if opaque:
        tables = [
            fragments.opaque(rows, columns, piece.shape[-1])
            for piece, (rows, columns) in zip(pieces, ((m, k), (k, n), (m, n)), strict=True)
        ]
    else:
        tables = [fragments.operand_a(m, k, a_type), fragments.operand_b(k, n, b_type), fragments.accumulator(m)]
    left = fragments.to_matrix(pieces[0], tables[0], m, k)
    right = fragments.to_matrix(pieces[1], tables[1], k, n)
    result = np.matmul(left, right) + fragments.to_matrix(pieces[2], tables[2], m, n)
    out = fragments.encode(fragments.from_matrix(result, tables[2]), d_type, saturate)
    return [register.reshape(-1) for register in out]


def load_rows(
    engine: Engine, address: Array, count: int, transpose: bool, selection: Selection, pc: int
) -> list[Array]:
    """ldmatrix: `count` 8x8 matrices of 16-bit elements; lane 8 * i + r holds the address of row r of matrix i."""
    lanes = whole_warps(engine, selection, pc)
    size = engine.lanes(selection).size
    if lanes is None:
        return [np.zeros(size, np.uint32)] * count
    engine.launch.now += 1
    chosen = np.flatnonzero(engine.warps.lane[lanes] < 8 * count)
    words = engine.memory.read_space("shared", np.broadcast_to(address, lanes.shape)[chosen], 4, 4, lanes[chosen], pc)
    rows = np.stack([np.broadcast_to(word, chosen.shape) for word in words], axis=-1).reshape(-1, count, 8, 4)
    lane = np.arange(32)
    if not transpose:
        return [rows[:, i, lane // 4, lane % 4].reshape(-1) for i in range(count)]
    halves = np.ascontiguousarray(rows).view(np.uint16)
    result = []
    for i in range(count):
        low = halves[:, i, 2 * (lane % 4), lane // 4].astype(np.uint32)
        high = halves[:, i, 2 * (lane % 4) + 1, lane // 4].astype(np.uint32)
        result.append((low | high << np.uint32(16)).reshape(-1))
    return result


def transpose_matrix(engine: Engine, value: Array, selection: Selection, pc: int) -> Array:
    """movmatrix.trans: the register of lane 4 * r + c holds columns 2 * c and 2 * c + 1 of row r."""
    lanes = whole_warps(engine, selection, pc)
    if lanes is None:
        return np.zeros(engine.lanes(selection).size, np.uint32)
    words = np.ascontiguousarray(np.broadcast_to(value, lanes.shape).reshape(-1, 8, 4))
    turned = np.ascontiguousarray(words.view(np.uint16).transpose(0, 2, 1))
    return turned.view(np.uint32).reshape(-1)


def _element_addresses(
    engine: Engine, lanes: LaneIndex, address: Array, stride: Array, table: fragments.Table, by_row: bool, size: int
) -> Array:
    """Addresses of a wmma fragment's elements: (lanes, elements)."""
    lane = engine.warps.lane[lanes]
    row, column = table[0][lane], table[1][lane]
    major, minor = (row, column) if by_row else (column, row)
    steps = np.broadcast_to(stride, lanes.shape).astype(np.int64)[:, None]
    offset = (major * steps + minor) * size
    base = np.broadcast_to(address, lanes.shape).astype(np.int64)[:, None]
    return (base + offset).astype(np.uint64)


def load_fragment(
    engine: Engine,
    space: str,
    address: Array,
    stride: Array,
    extent: tuple[int, int],
    type_: str,
    by_row: bool,
    registers: int,
    selection: Selection,
    pc: int,
) -> list[Array]:
    """wmma.load: the registers of a fragment of `extent` rows and columns."""
    lanes = whole_warps(engine, selection, pc)
    bits = fragments.BITS[type_]
    word = max(bits, 32) // 8
    if lanes is None:
        return [np.zeros(engine.lanes(selection).size, f"u{word}")] * registers
    per_lane = registers * 8 * word // bits
    table = fragments.opaque(*extent, per_lane)
    where = _element_addresses(engine, lanes, address, stride, table, by_row, bits // 8)
    engine.launch.now += 1
    spread = np.repeat(lanes, per_lane)
    values = engine.memory.read_space(space, where.reshape(-1), bits // 8, 1, spread, pc)[0]
    words = np.ascontiguousarray(values.reshape(lanes.size, per_lane)).view(f"u{word}")
    return [np.ascontiguousarray(words[:, i]) for i in range(registers)]


def store_fragment(
    engine: Engine,
    space: str,
    address: Array,
    stride: Array,
    extent: tuple[int, int],
    type_: str,
    by_row: bool,
    values: list[Array],
    selection: Selection,
    pc: int,
) -> None:
    """wmma.store: write a fragment's elements."""
    lanes = whole_warps(engine, selection, pc)
    if lanes is None:
        return
    size = fragments.BITS[type_] // 8
    words = np.stack([np.broadcast_to(value, lanes.shape) for value in values], axis=-1)
    elements = np.ascontiguousarray(words).view(f"u{size}")
    table = fragments.opaque(*extent, elements.shape[1])
    where = _element_addresses(engine, lanes, address, stride, table, by_row, size)
    engine.launch.now += 1
    spread = np.repeat(lanes, elements.shape[1])
    engine.memory.write_space(space, where.reshape(-1), [elements.reshape(-1)], size, spread, pc)
