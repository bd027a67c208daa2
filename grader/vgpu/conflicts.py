"""Conflicting accesses to global memory by different blocks, which no barrier orders.

For every cell (the smallest width in which the kernel accesses global memory) the shadow keeps the block that wrote
it last and the lowest and highest block that have read it. Two accesses by different blocks, one of them a plain
write, conflict unless a fence and an atomic ordered them: the writer's block fenced after its write, and the other
block performed an atomic (or a volatile or acquiring load) after that write. Storing a value that is already there
is no conflict.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.lanes import LaneIndex
from grader.vgpu.segments import Segment
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine

_NONE = -1


class Conflicts:
    """The shadows of a launch, made when a segment is first accessed."""

    def __init__(self, granule: int) -> None:
        self.granule = granule

    def of(self, segment: Segment) -> ConflictShadow:
        if segment.writer is None:
            segment.writer = ConflictShadow(segment, self.granule)
        shadow: ConflictShadow = segment.writer
        return shadow


class ConflictShadow:
    """The last accesses of one segment, by cell."""

    def __init__(self, segment: Segment, granule: int) -> None:
        self._segment = segment
        self._granule = granule
        cells = segment.size // granule + 1
        self._writer = np.full(cells, _NONE, np.int32)
        self._write_time = np.zeros(cells, np.int64)
        self._write_strong = np.zeros(cells, np.bool_)
        self._low = np.full(cells, _NONE, np.int32)
        self._high = np.full(cells, _NONE, np.int32)
        self._read_time = np.zeros(cells, np.int64)
        self._was_read = False
        self._was_written = False

    def read(self, engine: Engine, cells: Array, lanes: LaneIndex, pc: int, strong: bool) -> None:
        cells, blocks = self._spread(engine, cells, lanes)
        if self._was_written:
            writer = self._writer[cells]
            bad = (writer != blocks) & (writer != _NONE)
            if bad.any():
                if strong:
                    bad &= ~self._write_strong[cells]
                bad &= ~engine.launch.fences.ordered(writer, self._write_time[cells], blocks)
                self._report(engine, bad, cells, blocks, lanes, writer, pc, "read after write")
        if strong:
            return
        low, high = self._low[cells], self._high[cells]
        fresh = low == _NONE
        if engine.launch.fences.used:
            time, ordered = self._read_time[cells], engine.launch.fences.ordered
            fresh |= ordered(low, time, blocks) & ordered(high, time, blocks)
        self._low[cells] = np.where(fresh, blocks, np.minimum(low, blocks))
        self._high[cells] = np.where(fresh, blocks, np.maximum(high, blocks))
        self._read_time[cells] = engine.launch.now
        self._was_read = True

    def write(
        self, engine: Engine, cells: Array, lanes: LaneIndex, pc: int, strong: bool, same: Callable[[], Array]
    ) -> None:
        shape = np.shape(cells)
        cells, blocks = self._spread(engine, cells, lanes)
        self._check_writers(engine, cells, blocks, lanes, pc, strong, same, shape)
        if self._was_read:
            low, high = self._low[cells], self._high[cells]
            bad = ((low != _NONE) & (low != blocks)) | ((high != _NONE) & (high != blocks))
            if bad.any():
                other = np.where(low != blocks, low, high)
                bad &= ~engine.launch.fences.ordered(other, self._read_time[cells], blocks)
                bad = _unless_same(bad, same, shape)
                self._report(engine, bad, cells, blocks, lanes, other, pc, "write after read")
        self._writer[cells] = blocks
        self._write_time[cells] = engine.launch.now
        self._write_strong[cells] = strong
        self._was_written = True

    def _check_writers(
        self,
        engine: Engine,
        cells: Array,
        blocks: Array,
        lanes: LaneIndex,
        pc: int,
        strong: bool,
        same: Callable[[], Array],
        shape: tuple[int, ...],
    ) -> None:
        if self._was_written:
            writer = self._writer[cells]
            bad = (writer != blocks) & (writer != _NONE)
            if bad.any():
                if strong:
                    bad &= ~self._write_strong[cells]
                bad &= ~engine.launch.fences.ordered(writer, self._write_time[cells], blocks)
                bad = _unless_same(bad, same, shape)
                self._report(engine, bad, cells, blocks, lanes, writer, pc, "write after write")

    def after_write(self, engine: Engine, cells: Array, lanes: LaneIndex, pc: int, same: Callable[[], Array]) -> None:
        """Find blocks that wrote one cell in the same instruction with different values."""
        shape = np.shape(cells)
        cells, blocks = self._spread(engine, cells, lanes)
        bad = self._writer[cells] != blocks
        if bad.any():
            bad = _unless_same(bad, same, shape)
            self._report(engine, bad, cells, blocks, lanes, self._writer[cells], pc, "write after write")

    def atomic(self, engine: Engine, cells: Array, lanes: LaneIndex, pc: int) -> None:
        """An atomic conflicts with plain accesses of other blocks, never with another atomic."""
        self.read(engine, cells, lanes, pc, strong=True)
        cells, blocks = self._spread(engine, cells, lanes)
        plain = (self._writer[cells] == _NONE) | self._write_strong[cells]
        cells, blocks = cells[plain], blocks[plain]
        self._writer[cells] = blocks
        self._write_time[cells] = engine.launch.now
        self._write_strong[cells] = True
        self._was_written = True

    @staticmethod
    def _spread(engine: Engine, cells: Array, lanes: LaneIndex) -> tuple[Array, Array]:
        blocks = engine.block_of[lanes]
        if np.ndim(cells) == 2:
            wide = np.broadcast_to(cells, (blocks.size, cells.shape[1]))
            return wide.reshape(-1), np.repeat(blocks, cells.shape[1])
        return np.broadcast_to(cells, blocks.shape), blocks

    def _report(
        self,
        engine: Engine,
        bad: Array,
        cells: Array,
        blocks: Array,
        lanes: LaneIndex,
        other: Array,
        pc: int,
        what: str,
    ) -> None:
        if not bad.any():
            return
        first = int(np.flatnonzero(bad)[0])
        lane = int(lanes[first * lanes.size // bad.size]) if bad.size >= lanes.size else int(lanes[0])
        verb, past = ("reads", "written") if what.startswith("read") else ("writes", "written")
        past = "read" if what.endswith("read") else past
        index = int(cells[first]) * self._granule // self._segment.element
        text = (
            f"{engine.who(lane)} {verb} {self._segment.name}[{index}], {past} by block "
            f"{engine.launch.block_name(int(other[first]))}; nothing orders the two blocks"
        )
        engine.log.add("conflict", pc, text, what)


def _unless_same(bad: Array, same: Callable[[], Array], shape: tuple[int, ...]) -> Array:
    """Clear lanes that store what memory already holds."""
    if not bad.any():
        return bad
    equal = np.asarray(same())
    if len(shape) == 2:
        equal = np.repeat(np.broadcast_to(equal, shape[:1]), shape[1])
    return bad & ~equal


class Fences:
    """When each block last fenced, and last performed an operation that can observe other blocks' fences."""

    def __init__(self, blocks: int) -> None:
        self._fenced = np.full(blocks, -1, np.int64)
        self._observed = np.full(blocks, -1, np.int64)
        self.used = False

    def fence(self, blocks: Array, now: int) -> None:
        self.used = True
        self._fenced[blocks] = now

    def observe(self, blocks: Array, now: int) -> None:
        self._observed[blocks] = now

    def ordered(self, earlier: Array, time: Array, later: Array) -> Array:
        """Whether an access by block `earlier` at `time` is ordered before one by block `later` now."""
        if not self.used:
            return np.zeros(np.shape(later), np.bool_)
        return (self._fenced[earlier] >= time) & (self._observed[later] > time)
