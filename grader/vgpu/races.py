"""Races in shared memory.

For every cell (the smallest width in which the kernel accesses shared memory) the shadow keeps the last write (time
and lane) and the reads since (time, lowest and highest lane). Two accesses of one cell by different threads of a
block, one of them a write, race unless a barrier of the block came between them, or a __syncwarp if both threads are
of one warp. Time is the launch's access counter; each block knows the time of its last barrier, each warp that of
its last __syncwarp. In the usual case, in which every thread of the chunk has passed the barrier, one comparison
clears a whole vector of accesses. Reads are only logged, and looked at when a write follows before the next barrier.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.findings import counted, how_many
from grader.vgpu.lanes import LaneIndex
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine

PENDING = np.iinfo(np.int64).max  # the write time of a cell that an asynchronous copy has not yet been waited for
_LOG_LIMIT = 1 << 22  # logged lanes before the log is folded into the shadow
MANY = -2  # the writer of a cell that several threads updated atomically


class RaceShadow:
    """The last accesses of every cell of a chunk's shared memory."""

    def __init__(self, engine: Engine, cells: int, describe: Callable[[int, int], str]) -> None:
        self._engine = engine
        self._describe = describe
        self._write_time = np.zeros(cells, np.int64)  # 0: never written
        self._writer = np.full(cells, -1, np.int32)
        self._write_pc = np.zeros(cells, np.int32)
        self._write_strong = np.zeros(cells, np.bool_)
        self._read_time = np.zeros(cells, np.int64)
        self._read_pc = np.zeros(cells, np.int32)
        self._low = np.zeros(cells, np.int32)
        self._high = np.zeros(cells, np.int32)
        self._log: list[tuple[int, Array, LaneIndex, int]] = []
        self._logged = 0
        self.copies: list[tuple[Array, LaneIndex, Array]] = []  # pending cp.async: cells, lanes, group numbers

    def read(self, cells: Array, lanes: LaneIndex, pc: int, strong: bool) -> None:
        engine = self._engine
        time = self._write_time[cells]
        first, last = (int(time.min()), int(time.max())) if np.ndim(time) else (int(time), int(time))
        if first == 0 or last > engine.barrier_floor:
            self._examine_read(*_spread(cells, lanes), pc, strong)
        if strong:
            return
        if self._logged > _LOG_LIMIT:
            self._fold()
        self._log.append((engine.launch.now, cells, lanes, pc))
        self._logged += np.size(cells)

    def _examine_read(self, cells: Array, lanes: LaneIndex, pc: int, strong: bool) -> None:
        time, writer = self._write_time[cells], self._writer[cells]
        unwritten = time == 0
        if unwritten.any():
            self._report_unwritten(unwritten, cells, lanes, pc)
        pending = time == PENDING
        if pending.any():
            self._report_pending(pending, cells, lanes, writer, pc)
        bad = self._unordered(time, writer, lanes) & ~pending
        if strong:
            bad &= ~self._write_strong[cells]
        self._report(bad, cells, lanes, writer, pc, "read after write")

    def before_write(self, cells: Array, lanes: LaneIndex, pc: int, strong: bool, same: Callable[[], Array]) -> None:
        """Check a write against earlier accesses; `same` tells which lanes store what memory already holds."""
        floor = self._engine.barrier_floor
        if self._log:
            self._fold()
        recent = bool((self._write_time[cells] > floor).any()), bool((self._read_time[cells] > floor).any())
        if not any(recent):
            return
        shape = np.shape(cells)
        flat, who = _spread(cells, lanes)
        if recent[0]:
            time, writer = self._write_time[flat], self._writer[flat]
            bad = self._unordered(time, writer, who)
            if strong:
                bad &= ~self._write_strong[flat]
            self._report(_unless_same(bad, same, shape), flat, who, writer, pc, "write after write")
        if recent[1]:
            self._check_readers(flat, who, pc, strong, same, shape)

    def _check_readers(
        self, cells: Array, lanes: LaneIndex, pc: int, strong: bool, same: Callable[[], Array], shape: tuple[int, ...]
    ) -> None:
        time, low, high = self._read_time[cells], self._low[cells], self._high[cells]
        bad = self._unordered(time, low, lanes) | self._unordered(time, high, lanes)
        if bad.any():
            other = np.where(low != lanes, low, high)
            self._report(_unless_same(bad, same, shape), cells, lanes, other, pc, "write after read")

    def after_write(self, cells: Array, lanes: LaneIndex, pc: int, strong: bool, same: Callable[[], Array]) -> None:
        """Record a write, and find lanes that wrote one cell in the same instruction with different values.

        Where a block is one program, as in Triton, such lanes hold copies of one element of a tensor, for which the
        compiler has laid out more lanes than it has elements. Copies may differ in the last bit: lanes that exchange
        products to add them up may each have fused the addition with their own. Any of them is the element's value.
        """
        shape = np.shape(cells)
        cells, lanes = _spread(cells, lanes)
        self._write_time[cells] = self._engine.launch.now
        self._writer[cells] = lanes
        self._write_pc[cells] = pc
        self._write_strong[cells] = strong
        if not strong and not self._engine.launch.block_in_order:
            bad = self._writer[cells] != lanes
            if bad.any():
                bad = _unless_same(bad, same, shape)
                self._report(bad, cells, lanes, self._writer[cells], pc, "write after write")

    def atomic(self, cells: Array, lanes: LaneIndex, pc: int) -> None:
        """An atomic races with plain accesses of other threads, never with another atomic."""
        cells, lanes = _spread(cells, lanes)
        self.read(cells, lanes, pc, strong=True)
        if self._log:
            self._fold()
        self._check_readers(cells, lanes, pc, True, lambda: np.zeros(1, bool), ())
        floor = self._engine.barrier_floor
        writer, recent = self._writer[cells], self._write_time[cells] > floor
        plain = recent & ~self._write_strong[cells]
        self._writer[cells] = np.where(recent & (writer != lanes) & ~plain, MANY, lanes)
        clash = self._writer[cells] != lanes
        self._writer[cells[clash & ~plain]] = MANY
        self._write_time[cells] = self._engine.launch.now
        self._write_pc[cells] = pc
        self._write_strong[cells] = True

    def begin_copy(self, cells: Array, lanes: LaneIndex, groups: Array, pc: int) -> None:
        """cp.async has been issued: its cells must not be read before the copying thread has waited."""
        cells, spread = _spread(cells, lanes)
        groups = np.repeat(groups, cells.size // max(lanes.size, 1))
        self._write_time[cells] = PENDING
        self._writer[cells] = spread
        self._write_pc[cells] = pc
        self._write_strong[cells] = False
        self.copies.append((cells, spread, groups))

    def finish_copies(self, done: Array) -> None:
        """Copies of groups up to `done` (by lane) have arrived, for the thread that waited."""
        left = []
        for cells, lanes, groups in self.copies:
            arrived = groups <= done[lanes]
            if arrived.any():
                mine = arrived & (self._write_time[cells] == PENDING)
                self._write_time[cells[mine]] = self._engine.launch.now
                keep = ~arrived
                cells, lanes, groups = cells[keep], lanes[keep], groups[keep]
            if cells.size:
                left.append((cells, lanes, groups))
        self.copies = left

    def barrier(self) -> None:
        """Some block has passed a barrier: forget logged reads that every block has left behind."""
        floor = self._engine.barrier_floor
        self._log = [entry for entry in self._log if entry[0] > floor]
        self._logged = sum(np.size(entry[1]) for entry in self._log)

    def _fold(self) -> None:
        """Move logged reads into the shadow arrays."""
        for time, cells, lanes, pc in self._log:
            cells, lanes = _spread(cells, lanes)
            low, high, seen = self._low[cells], self._high[cells], self._read_time[cells]
            stale = ~(self._unordered(seen, low, lanes) | self._unordered(seen, high, lanes))
            low = np.where(stale, lanes, np.minimum(low, lanes))
            self._low[cells[::-1]] = low[::-1]  # of equal cells the first, lowest lane must win
            self._high[cells] = np.where(stale, lanes, np.maximum(high, lanes))
            self._read_time[cells] = time
            self._read_pc[cells] = pc
        self._log.clear()
        self._logged = 0

    def _unordered(self, time: Array, other: Array, lanes: LaneIndex) -> Array:
        """Whether an access by lane `other` at `time` is not ordered before one by `lanes` now."""
        engine = self._engine
        bad = (time > engine.barrier_time[engine.slot_of[lanes]]) & (other != lanes)
        if bad.any():
            same_warp = (engine.warp_of[other] == engine.warp_of[lanes]) & (other >= 0)
            bad &= ~(same_warp & (time <= engine.syncwarp_time[engine.warp_of[lanes]]))
            bad &= ~engine.thread_fences.ordered(other, time, lanes)
        return bad

    # Reports.

    def _place(self, cell: int) -> str:
        shared = self._engine.shared
        return self._describe(cell * shared.granule % shared.stride, shared.granule)

    def _report(self, bad: Array, cells: Array, lanes: LaneIndex, other: Array, pc: int, what: str) -> None:
        if not bad.any() or self._engine.log.known("race", pc):
            return
        engine = self._engine
        first = int(np.flatnonzero(bad)[0])
        verb, past = ("read" if what.startswith("read") else "wrote"), "read" if what.endswith("read") else "written"
        lane, partner = int(lanes[first]), int(other[first])
        earlier = self._write_pc if past == "written" else self._read_pc
        source = engine.log.line_of(int(earlier[cells[first]]))
        by = "other threads" if partner == MANY else f"thread {engine.thread_name(partner)}"
        same_warp = partner >= 0 and engine.warp_of[lane] == engine.warp_of[partner]
        text = (
            f"{engine.who(lane)} {verb} {self._place(int(cells[first]))}, {past} by {by}"
            f"{f' at {source}' if source != engine.log.line_of(pc) else ''} with no "
            f"{'barrier or __syncwarp' if same_warp else 'barrier'} between ({how_many(np.unique(lanes[bad]).size)})"
        )
        engine.log.add("race", pc, text, what)

    def _report_unwritten(self, bad: Array, cells: Array, lanes: LaneIndex, pc: int) -> None:
        first = int(np.flatnonzero(bad)[0])
        engine = self._engine
        lane = int(lanes[first])
        text = f"{engine.who(lane)} reads {self._place(int(cells[first]))}, which nobody has written"
        gone = int((~engine.alive & (engine.slot_of == engine.slot_of[lane])).sum())
        if gone:
            text += f"; {counted(gone, 'thread')} of its block returned before this: was it theirs to write?"
        engine.log.add("uninitialised", pc, text, "shared read")

    def _report_pending(self, bad: Array, cells: Array, lanes: LaneIndex, writer: Array, pc: int) -> None:
        first = int(np.flatnonzero(bad)[0])
        engine = self._engine
        issuer = engine.thread_name(int(writer[first]))
        text = (
            f"{engine.who(int(lanes[first]))} reads {self._place(int(cells[first]))}, which an asynchronous copy of "
            f"thread {issuer} (at {engine.log.line_of(int(self._write_pc[cells[first]]))}) is still writing"
        )
        engine.log.add("async copy", pc, text, "read before the wait")


def _spread(cells: Array, lanes: LaneIndex) -> tuple[Array, LaneIndex]:
    """One entry per (cell, lane) pair."""
    if np.ndim(cells) == 0:
        return np.broadcast_to(cells, lanes.shape), lanes
    if np.ndim(cells) == 2:
        wide = np.broadcast_to(cells, (lanes.size, cells.shape[1]))
        return wide.reshape(-1), np.repeat(lanes, cells.shape[1])
    return cells, lanes


def _unless_same(bad: Array, same: Callable[[], Array], shape: tuple[int, ...]) -> Array:
    if not bad.any():
        return bad
    equal = np.asarray(same())
    if len(shape) == 2:
        equal = np.repeat(np.broadcast_to(equal, shape[:1]), shape[1])
    return bad & ~equal
