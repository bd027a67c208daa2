"""Read-modify-write operations. Lanes that hit the same address take effect one after the other, in lane order."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.fpmath import ftz
from grader.vgpu.halfmath import half_op
from grader.vgpu.lanes import LaneIndex
from grader.vgpu.types import WIDTHS, Array, form_of

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine

_INPLACE: dict[str, np.ufunc] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def apply_atomic(
    engine: Engine,
    space: str,
    op: str,
    type_: str,
    address: Array,
    values: tuple[Array, ...],
    lanes: LaneIndex,
    pc: int,
    needed: bool,
) -> Array:
    """Apply `op` for each lane; the values before, in the form of the type (unspecified unless `needed`)."""
    size = WIDTHS[type_] // 8
    if (space, op, type_) == ("global", "add", "f32"):
        op = "add.ftz"  # so the ISA and hardware; shared memory keeps subnormal numbers
    old = np.zeros(lanes.shape, values[0].dtype)
    for elements, index, at in engine.memory.locate(space, address, size, lanes, pc):
        if at.size:
            memory = elements.view(values[0].dtype) if form_of(type_)[0] != "u" else elements
            operands = tuple(value[at] for value in values)
            old[at] = _apply(memory, index, op, type_, operands, needed)
    return old


def _apply(memory: Array, index: Array, op: str, type_: str, operands: tuple[Array, ...], needed: bool) -> Array:
    half = type_.startswith(("f16", "bf16"))
    if not needed and op in _INPLACE and not half:
        _INPLACE[op].at(memory, index, operands[0])
        return operands[0]
    if not needed and op == "add.ftz" and not _may_be_subnormal(memory[index]) and not _may_be_subnormal(operands[0]):
        np.add.at(memory, index, operands[0])
        return operands[0]
    order = np.argsort(index, kind="stable")
    ordered = index[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    rank = np.arange(index.size) - np.repeat(starts, np.diff(np.append(starts, index.size)))
    if op == "add" and needed and not half and memory.dtype.kind in "iu" and rank[-1:].size and rank.max() > 0:
        return _counted_add(memory, index, operands[0], order, starts)
    step = _step(op, type_)
    old = np.empty(index.shape, memory.dtype)
    for turn in range(int(rank.max()) + 1):
        now = order[rank == turn]
        current = memory[index[now]]
        old[now] = current
        memory[index[now]] = step(current, *(operand[now] for operand in operands))
    return old


def _may_be_subnormal(values: Array) -> bool:
    """Whether sums of such values might be subnormal: not if all are multiples of 2**-126."""
    return bool(((np.abs(values) < 2.0**-102) & (values != 0)).any())


def _counted_add(memory: Array, index: Array, value: Array, order: Array, starts: Array) -> Array:
    """Integer additions with colliding addresses: a prefix sum within each address gives all old values."""
    sorted_values = value[order]
    before = np.cumsum(sorted_values, dtype=memory.dtype) - sorted_values
    lengths = np.diff(np.append(starts, index.size))
    offset = np.repeat(before[starts], lengths)
    old = np.empty(index.shape, memory.dtype)
    old[order] = memory[index[order]] + (before - offset)
    np.add.at(memory, index, value)
    return old


def _step(op: str, type_: str) -> Callable[..., Array]:
    """The function from (memory, operands) to memory."""
    if type_.startswith(("f16", "bf16")) and op in ("add", "min", "max"):
        return lambda current, value: half_op(op, type_, "", False, current, value)
    if op in _INPLACE:
        return _INPLACE[op]
    return _STEPS[op]


_STEPS: dict[str, Callable[..., Array]] = {
    "add.ftz": lambda current, value: ftz(ftz(current) + ftz(value)),
    "exch": lambda current, value: value,
    "cas": lambda current, compare, value: np.where(current == compare, value, current),
    "inc": lambda current, limit: np.where(current >= limit, current.dtype.type(0), current + current.dtype.type(1)),
    "dec": lambda current, limit: np.where(
        (current == 0) | (current > limit), limit, current - current.dtype.type(1)
    ),
}
