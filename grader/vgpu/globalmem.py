"""The global state space: bounds, alignment, initialisation and conflicts of accesses to segments."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.bytestore import granules, same_bits
from grader.vgpu.conflicts import ConflictShadow
from grader.vgpu.findings import how_many
from grader.vgpu.lanes import LaneIndex
from grader.vgpu.layout import WINDOW_BITS
from grader.vgpu.segments import Segment
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine

_WRITTEN: Array = np.zeros((), np.uint8)
POISON = {1: np.uint8(0xFF), 2: np.uint16(0xFFFF), 4: np.uint32(0xFFFFFFFF), 8: np.uint64(0xFFFFFFFFFFFFFFFF)}


class GlobalSpace:
    """Global memory as one chunk of blocks sees it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._segments = engine.launch.segments.by_window
        self._conflicts = engine.launch.conflicts

    def read(self, address: Array, size: int, count: int, lanes: LaneIndex, pc: int, strong: bool) -> list[Array]:
        """`count` elements of `size` bytes from each lane's address."""
        segment = self._segment_of_all(address, size * count)
        if segment is None:
            return self._read_piecewise(address, size, count, lanes, pc, strong)
        offset = (address.view(np.int64) - segment.base) if address.ndim else np.int64(int(address) - segment.base)
        self._check_read(segment, offset, size, count, lanes, pc, strong)
        return segment.store.read(offset, size, count)

    def write(self, address: Array, values: list[Array], size: int, lanes: LaneIndex, pc: int, strong: bool) -> None:
        """Store one element per value at each lane's address."""
        segment = self._segment_of_all(address, size * len(values))
        if segment is None:
            self._write_piecewise(address, values, size, lanes, pc, strong)
            return
        offset = np.broadcast_to(address.view(np.int64) - segment.base, lanes.shape)
        self._check_write(segment, offset, values, size, lanes, pc, strong)
        self._store(segment, offset, values, size, lanes, pc, strong)

    def _store(
        self, segment: Segment, offset: Array, values: list[Array], size: int, lanes: LaneIndex, pc: int, strong: bool
    ) -> None:
        segment.store.write(offset, values, size)
        if segment.uninitialised is not None:
            segment.uninitialised.write(offset, [_WRITTEN] * len(values), size)
        if self._conflicts is not None:
            cells = granules(offset, size * len(values), self._conflicts.granule)
            same = partial(_same, segment, offset, values, size)
            self._conflicts.of(segment).after_write(self._engine, cells, lanes, pc, strong, same)

    def locate(self, address: Array, size: int, lanes: LaneIndex, pc: int) -> list[tuple[Segment, Array, Array]]:
        """For atomics: (segment, byte offsets, positions in `lanes`) for every lane whose address is valid."""
        address = np.broadcast_to(address, lanes.shape)
        segment = self._segment_of_all(address, size)
        if segment is not None:
            return [(segment, address.view(np.int64) - segment.base, np.arange(lanes.size))]
        pieces = self._pieces(address, size, 1, lanes, pc, "atomic access")
        return [(segment, offset, at) for segment, offset, at, _ in pieces]

    def _segment_of_all(self, address: Array, nbytes: int) -> Segment | None:
        """The one segment that every address lies in, aligned and within bounds; None if there is no such."""
        if address.ndim == 0:
            low = high = combined = int(address)
        elif address.size == 0:
            return None
        else:
            low, high = int(address.min()), int(address.max())
            combined = int(np.bitwise_or.reduce(address)) if nbytes > 1 else 0
        segment = self._segments.get(low >> WINDOW_BITS)
        if segment is None or low < segment.base or high + nbytes > segment.base + segment.size:
            return None
        return None if combined & (nbytes - 1) and nbytes & (nbytes - 1) == 0 else segment

    def _check_read(
        self, segment: Segment, offset: Array, size: int, count: int, lanes: LaneIndex, pc: int, strong: bool
    ) -> None:
        if segment.uninitialised is not None:
            self.check_initialised(segment, offset, size, lanes, pc, count)
        if self._conflicts is not None and segment.may_write:
            shadow = self._conflicts.of(segment)
            shadow.read(self._engine, granules(offset, size * count, self._conflicts.granule), lanes, pc, strong)

    def check_initialised(
        self, segment: Segment, offset: Array, size: int, lanes: LaneIndex, pc: int, count: int = 1
    ) -> None:
        """Report a read of bytes that nobody has written."""
        assert segment.uninitialised is not None
        marks = segment.uninitialised.read(offset, size, count)
        bad = np.logical_or.reduce([mark != 0 for mark in marks])
        if not bad.any():
            return
        first = int(np.flatnonzero(bad)[0]) if np.ndim(bad) else 0
        where = int(offset[first]) if np.ndim(offset) else int(offset)
        engine = self._engine
        place = segment.index(where // segment.element)
        text = f"{engine.who(int(lanes[first]))} reads {place}, which nobody has written"
        engine.log.add("uninitialised", pc, text, "global read")

    def _check_write(
        self, segment: Segment, offset: Array, values: list[Array], size: int, lanes: LaneIndex, pc: int, strong: bool
    ) -> None:
        if self._conflicts is None:
            return
        cells = granules(offset, size * len(values), self._conflicts.granule)
        shadow: ConflictShadow = self._conflicts.of(segment)
        shadow.write(self._engine, cells, lanes, pc, strong, partial(_same, segment, offset, values, size))

    # Slow paths: several segments, or some lanes out of bounds or misaligned.

    def _read_piecewise(
        self, address: Array, size: int, count: int, lanes: LaneIndex, pc: int, strong: bool
    ) -> list[Array]:
        address = np.broadcast_to(address, lanes.shape)
        result = [np.full(lanes.shape, POISON[size]) for _ in range(count)]
        for segment, offset, at, byte in self._pieces(address, size, count, lanes, pc, "read"):
            if byte is None:
                self._check_read(segment, offset, size, count, lanes[at], pc, strong)
                for target, value in zip(result, segment.store.read(offset, size, count), strict=True):
                    target[at] = value
            else:
                unit = min(size, segment.element)
                self._check_read(segment, offset, unit, 1, lanes[at], pc, strong)
                _part(result, byte, unit)[at] = segment.store.read(offset, unit, 1)[0]
        return list(result)

    def _write_piecewise(
        self, address: Array, values: list[Array], size: int, lanes: LaneIndex, pc: int, strong: bool
    ) -> None:
        address = np.broadcast_to(address, lanes.shape)
        spread = [np.broadcast_to(value, lanes.shape) for value in values]
        for segment, offset, at, byte in self._pieces(address, size, len(values), lanes, pc, "write"):
            unit = size if byte is None else min(size, segment.element)
            piece = [value[at] for value in (spread if byte is None else [_part(spread, byte, unit)])]
            self._check_write(segment, offset, piece, unit, lanes[at], pc, strong)
            self._store(segment, offset, piece, unit, lanes[at], pc, strong)

    def _pieces(
        self, address: Array, size: int, count: int, lanes: LaneIndex, pc: int, verb: str
    ) -> list[tuple[Segment, Array, Array, int | None]]:
        """Split by segment: (segment, byte offsets, positions in `lanes`, None). Lanes with a bad address are told of
        and left out, but for what lies within bounds of a wide access: there the last is a byte of the access, at
        which one such element of the segment begins.
        """
        signed, nbytes = address.view(np.int64), size * count
        windows = signed >> WINDOW_BITS
        pieces: list[tuple[Segment, Array, Array, int | None]] = []
        for window in np.unique(windows).tolist():
            at = np.flatnonzero(windows == window)
            segment = self._segments.get(window)
            if segment is None:
                self._engine.memory.report_wild(int(address[at[0]]), int(lanes[at[0]]), pc, verb)
                continue
            offset = signed[at] - segment.base
            outside = (offset < 0) | (offset + nbytes > segment.size)
            crooked = (signed[at] & (nbytes - 1)) != 0 if nbytes & (nbytes - 1) == 0 else np.zeros_like(outside)
            if outside.any():
                self._report_bounds(segment, offset, outside, nbytes, lanes[at], pc, verb)
            elif crooked.any():
                first = int(np.flatnonzero(crooked)[0])
                text = (
                    f"{self._engine.who(int(lanes[at[first]]))} accesses {nbytes} bytes at byte {offset[first]} "
                    f"of {segment.name}, which is not a multiple of {nbytes}"
                )
                self._engine.log.add("misaligned", pc, text, f"global {verb}")
            good = ~(outside | crooked)
            pieces.append((segment, offset[good], at[good], None))
            unit = min(size, segment.element)
            for byte in range(0, nbytes if nbytes > unit and outside.any() else 0, unit):
                start = offset + byte
                inside = outside & ~crooked & (start >= 0) & (start + unit <= segment.size)
                pieces.append((segment, start[inside], at[inside], byte))
        return [piece for piece in pieces if piece[2].size]

    def _report_bounds(
        self,
        segment: Segment,
        offset: Array,
        outside: Array,
        nbytes: int,
        lanes: LaneIndex,
        pc: int,
        verb: str,
    ) -> None:
        """Name the first element that is really outside, which in a vector need not be the first one."""
        lane = int(np.flatnonzero(outside)[0])
        start, held = int(offset[lane]), segment.size // segment.element
        index = start // segment.element if start < 0 else max(start // segment.element, held)
        shown = f" ({nbytes} bytes from {segment.name}[{start // segment.element}])"
        wide = shown if nbytes > segment.element else ""
        verbs = {"read": "reads", "write": "writes"}.get(verb, "accesses")
        text = (
            f"{self._engine.who(int(lanes[lane]))} {verbs} {segment.index(index)}{wide}, but it has "
            f"{held} elements ({how_many(int(outside.sum()))})"
        )
        self._engine.log.add("out of bounds", pc, text, f"global {verb}", several=len(segment.shape) > 1)


def _part(words: list[Array], byte: int, unit: int) -> Array:
    """For each lane the `unit` bytes from `byte` on of its row of words; a view where the words are contiguous."""
    size = words[0].dtype.itemsize
    word = np.ascontiguousarray(words[byte // size])
    return word.view(f"u{unit}").reshape(-1, size // unit)[:, byte % size // unit]


def _same(segment: Segment, offset: Array, values: list[Array], size: int) -> Array:
    """Lane by lane: memory already holds the values about to be stored."""
    return same_bits(segment.store.read(offset, size, len(values)), values)
