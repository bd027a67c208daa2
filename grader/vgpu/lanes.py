"""Groups of lanes: None (every lane of the chunk), a slice (consecutive lanes) or an ascending index array."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from grader.vgpu.types import Array

LaneIndex = npt.NDArray[np.int64]
Selection = slice | LaneIndex | None


def compact(lanes: LaneIndex) -> Selection:
    """The cheapest form of ascending lane numbers (never None: the caller knows how many there are in all)."""
    first, last = int(lanes[0]), int(lanes[-1])
    return slice(first, last + 1) if last - first + 1 == lanes.size else lanes


def merge(selections: list[Selection], total: int) -> Selection:
    """The union of disjoint groups, as None if it is all `total` lanes."""
    if len(selections) == 1:
        only = selections[0]
        return only if only is None or size(only, total) < total else None
    if sum(size(selection, total) for selection in selections) == total:
        return None
    present = np.zeros(total, np.bool_)  # cheaper than sorting the concatenation
    for selection in selections:
        present[selection] = True
    return compact(np.flatnonzero(present))


def size(selection: Selection, total: int) -> int:
    if selection is None:
        return total
    return selection.stop - selection.start if isinstance(selection, slice) else selection.size


class RegisterFile(list[Array]):
    """The registers of one routine at one call depth: lane vectors of `total` lanes, or 0-d values."""

    def __init__(self, values: list[Array], total: int) -> None:
        super().__init__(values)
        self.total = total


def take(value: Array, selection: slice | LaneIndex) -> Array:
    """A register's value in a group of lanes."""
    return value if value.ndim == 0 else value[selection]


def put(registers: RegisterFile, index: int, value: Array, selection: slice | LaneIndex) -> None:
    """Store a group's value in a register, leaving the other lanes as they are."""
    current = registers[index]
    if current.ndim == 0:
        registers[index] = current = np.full(registers.total, current)
    current[selection] = value
