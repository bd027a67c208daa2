"""Conflicting accesses to global memory by different threads, with nothing that orders them.

For every cell (the smallest width in which the kernel accesses global memory) the shadow keeps the thread that wrote
it last and the first and last thread that have read it. Two accesses by different threads, one of them a plain write,
conflict unless something orders them (ordering.py): a barrier, for threads of one block; or a fence after the one
access, and an atomic (or a volatile or acquiring load) before the other. Storing a value that is already there is no
conflict.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.lanes import LaneIndex
from grader.vgpu.ordering import GridOrder
from grader.vgpu.segments import Segment
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine

_NONE = -1


class Conflicts:
    """The shadows of a launch, made when a segment is first accessed."""

    def __init__(self, granule: int, order: GridOrder) -> None:
        self.granule = granule
        self.order = order

    def of(self, segment: Segment) -> ConflictShadow:
        if segment.writer is None:
            segment.writer = ConflictShadow(segment, self.granule, self.order)
        shadow: ConflictShadow = segment.writer
        return shadow


class ConflictShadow:
    """The last accesses of one segment, by cell. Threads are numbered as in ordering.py."""

    def __init__(self, segment: Segment, granule: int, order: GridOrder) -> None:
        self._segment = segment
        self._granule = granule
        self._order = order
        cells = segment.size // granule + 1
        self._writer = np.full(cells, _NONE, order.dtype)
        self._write_time = np.zeros(cells, np.int64)
        self._write_strong = np.zeros(cells, np.bool_)
        self._low = np.full(cells, _NONE, order.dtype)
        self._high = np.full(cells, _NONE, order.dtype)
        self._read_time = np.zeros(cells, np.int64)
        self._was_read = False
        self._was_written = False

    def read(self, engine: Engine, cells: Array, lanes: LaneIndex, pc: int, strong: bool) -> None:
        cells, lanes, mine = self._spread(engine, cells, lanes)
        if self._was_written:
            self._check_writers(engine, cells, lanes, mine, pc, strong, None, ())
        if strong:
            return
        low, high = self._low[cells], self._high[cells]
        fresh = low == _NONE
        others = ~fresh & ((low != mine) | (high != mine))
        if others.any():  # reads that are ordered before this one no longer matter
            time = self._read_time[cells]
            fresh |= others & ~(self._unordered(engine, others, low, high, time, lanes))
        self._low[cells] = np.where(fresh, mine, np.minimum(low, mine))
        self._high[cells] = np.where(fresh, mine, np.maximum(high, mine))
        self._read_time[cells] = engine.launch.now
        self._was_read = True

    def write(
        self, engine: Engine, cells: Array, lanes: LaneIndex, pc: int, strong: bool, same: Callable[[], Array]
    ) -> None:
        shape = np.shape(cells)
        cells, lanes, mine = self._spread(engine, cells, lanes)
        shared = None
        if self._was_written:
            shared = self._check_writers(engine, cells, lanes, mine, pc, strong, same, shape)
        if self._was_read:
            self._check_readers(engine, cells, lanes, mine, pc, same, shape)
        self._writer[cells] = mine if shared is None else np.where(shared, self._order.several(mine), mine)
        self._write_time[cells] = engine.launch.now
        self._write_strong[cells] = strong
        self._was_written = True

    def _check_writers(
        self,
        engine: Engine,
        cells: Array,
        lanes: LaneIndex,
        mine: Array,
        pc: int,
        strong: bool,
        same: Callable[[], Array] | None,
        shape: tuple[int, ...],
    ) -> Array | None:
        """Report what conflicts with the last write; for a write, where threads have stored the same value."""
        writer = self._writer[cells]
        bad = (writer != mine) & (writer != _NONE)
        if not bad.any():
            return None
        if strong:
            bad &= ~self._write_strong[cells]
        bad = self._order.unordered(engine, bad, writer, self._write_time[cells], lanes)
        if same is None:
            self._report(engine, bad, cells, lanes, writer, pc, "read after write")
            return None
        different = _unless_same(bad, same, shape)
        self._report(engine, different, cells, lanes, writer, pc, "write after write")
        return bad & ~different

    def _check_readers(
        self,
        engine: Engine,
        cells: Array,
        lanes: LaneIndex,
        mine: Array,
        pc: int,
        same: Callable[[], Array],
        shape: tuple[int, ...],
    ) -> None:
        low, high = self._low[cells], self._high[cells]
        bad = (low != _NONE) & ((low != mine) | (high != mine))
        if bad.any():
            bad = self._unordered(engine, bad, low, high, self._read_time[cells], lanes)
            other = np.where(low != mine, low, high)
            self._report(engine, _unless_same(bad, same, shape), cells, lanes, other, pc, "write after read")

    def _unordered(
        self, engine: Engine, suspects: Array, low: Array, high: Array, time: Array, lanes: LaneIndex
    ) -> Array:
        mine = engine.thread_numbers[lanes]
        unordered = self._order.unordered
        left = unordered(engine, suspects & (low != mine), low, time, lanes)
        return left | unordered(engine, suspects & (high != mine) & ~left, high, time, lanes)

    def after_write(
        self, engine: Engine, cells: Array, lanes: LaneIndex, pc: int, strong: bool, same: Callable[[], Array]
    ) -> None:
        """Find threads that wrote one cell in the same instruction with different values."""
        shape = np.shape(cells)
        cells, lanes, mine = self._spread(engine, cells, lanes)
        writer = self._writer[cells]
        clash = writer != mine
        if not clash.any():
            return
        if not strong:
            bad = self._order.unordered(engine, clash, writer, self._write_time[cells], lanes)
            self._report(engine, _unless_same(bad, same, shape), cells, lanes, writer, pc, "write after write")
        self._writer[cells[clash]] = self._order.several(mine[clash])

    def atomic(self, engine: Engine, cells: Array, lanes: LaneIndex, pc: int) -> None:
        """An atomic conflicts with plain accesses of other threads, never with another atomic."""
        self.read(engine, cells, lanes, pc, strong=True)
        cells, lanes, mine = self._spread(engine, cells, lanes)
        plain = (self._writer[cells] == _NONE) | self._write_strong[cells]
        cells, mine = cells[plain], mine[plain]
        self._writer[cells] = mine
        self._write_time[cells] = engine.launch.now
        self._write_strong[cells] = True
        self._was_written = True

    @staticmethod
    def _spread(engine: Engine, cells: Array, lanes: LaneIndex) -> tuple[Array, LaneIndex, Array]:
        """(cell, lane, number of its thread), one entry per pair."""
        if np.ndim(cells) == 2:
            count = cells.shape[1]
            cells, lanes = np.broadcast_to(cells, (lanes.size, count)).reshape(-1), np.repeat(lanes, count)
        else:
            cells = np.broadcast_to(cells, lanes.shape)
        return cells, lanes, engine.thread_numbers[lanes]

    def _report(
        self, engine: Engine, bad: Array, cells: Array, lanes: LaneIndex, other: Array, pc: int, what: str
    ) -> None:
        at = np.flatnonzero(bad)
        if not at.size:
            return
        inside = engine.block_of[lanes[at]] == other[at] // self._order.stride
        for group in (at[inside], at[~inside]):
            if group.size:
                self._report_one(engine, int(group[0]), cells, lanes, other, pc, what)

    def _report_one(
        self, engine: Engine, first: int, cells: Array, lanes: LaneIndex, other: Array, pc: int, what: str
    ) -> None:
        lane = int(lanes[first])
        verb = "reads" if what.startswith("read") else "writes"
        past = "read" if what.endswith("read") else "written"
        index = int(cells[first]) * self._granule // self._segment.element
        text = f"{engine.who(lane)} {verb} {self._segment.name}[{index}], {past} by "
        block, thread = divmod(int(other[first]), self._order.stride)
        if block == engine.block_of[lane]:
            partner = f"thread {engine.launch.thread_name(thread)}" if thread < engine.block_size else "other threads"
            engine.log.add("race", pc, f"{text}{partner} with no barrier between", what)
        else:
            text += f"block {engine.launch.block_name(block)}; nothing orders the two blocks"
            engine.log.add("conflict", pc, text, what)


def _unless_same(bad: Array, same: Callable[[], Array], shape: tuple[int, ...]) -> Array:
    """Clear lanes that store what memory already holds."""
    if not bad.any():
        return bad
    equal = np.asarray(same())
    if len(shape) == 2:
        equal = np.repeat(np.broadcast_to(equal, shape[:1]), shape[1])
    return bad & ~equal
