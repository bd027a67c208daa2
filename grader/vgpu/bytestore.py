"""Byte-addressed memory with views by element size, so that a vector of loads is one NumPy gather."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.vgpu.types import Array

Bytes = npt.NDArray[np.uint8]
_UINT: dict[int, Any] = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
SHIFT = {1: 0, 2: 1, 4: 2, 8: 3}
_NANS = np.array([0x7FC00000, 0x7FFF0000, 0x7FFFE000], np.uint32)  # single, and those of bf16 and f16 widened


class ByteStore:
    """`data` seen as elements of 1, 2, 4 or 8 bytes. `phase` is the address of its first byte modulo 256: elements
    are aligned by address, which need not be the alignment of the buffer."""

    def __init__(self, data: Bytes, phase: int = 0) -> None:
        self.data = data
        self._phase = phase
        self._views: dict[int, tuple[Array, int]] = {}

    def view(self, size: int) -> tuple[Array, int]:
        """(elements of `size` bytes, byte offset of the first one)."""
        if size not in self._views:
            first = -self._phase % size
            count = max(self.data.size - first, 0) // size
            self._views[size] = self.data[first : first + count * size].view(_UINT[size]), first
        return self._views[size]

    def index(self, offset: Array, size: int) -> Array:
        """Element indices of byte offsets (which must be aligned)."""
        first = self.view(size)[1]
        if first:
            offset = offset - first
        return offset >> SHIFT[size] if size > 1 else offset

    def read(self, offset: Array, size: int, count: int) -> list[Array]:
        """`count` consecutive elements from each byte offset."""
        view = self.view(size)[0]
        index = self.index(offset, size)
        return [view[index + i] if i else view[index] for i in range(count)]

    def write(self, offset: Array, values: list[Array], size: int) -> None:
        view = self.view(size)[0]
        index = self.index(offset, size)
        for i, value in enumerate(values):
            view[index + i if i else index] = value


def same_bits(held: Sequence[Array], values: Sequence[Array]) -> Array:
    """Lane by lane: whether storing `values` would leave what is `held`.

    Any NaN that arithmetic makes is as good as another: hardware has one (0x7fffffff), but NumPy's sign and payload
    depend on how it came about, and on the lane.
    """
    return np.logical_and.reduce([_same(old, np.asarray(new)) for old, new in zip(held, values, strict=True)])


def _same(old: Array, new: Array) -> Array:
    if old.dtype.itemsize < 4:
        return np.asarray(old == new.view(old.dtype))
    a, b = (np.ascontiguousarray(value).view(np.uint32).reshape(*value.shape, -1) for value in (old, new))
    equal, nan = a == b, [np.isin(value & np.uint32(0x7FFFFFFF), _NANS) for value in (a, b)]
    return np.asarray((equal | (nan[0] & nan[1])).all(-1))


def granules(offset: Array, nbytes: int, granule: int) -> Array:
    """The shadow cells that accesses of `nbytes` at byte offsets touch: shape (lanes,) or (lanes, cells each); () or
    (1, cells each) for one offset that all lanes share."""
    first = offset // granule if granule & (granule - 1) else offset >> SHIFT[granule]
    if nbytes <= granule:
        return first
    return np.atleast_1d(first)[:, None] + np.arange(nbytes // granule)
