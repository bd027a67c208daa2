"""What orders two accesses to global memory: barriers within a block, fences and atomics between any two threads.

Threads are named by their number in the grid: block * (block size + 1) + thread. The number after a block's last
thread stands for several of its threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.lanes import LaneIndex
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine


class Fences:
    """When each block (or thread) last fenced, and last did what can observe the fences of others."""

    def __init__(self, count: int) -> None:
        self._fenced = np.full(count, -1, np.int64)
        self._observed = np.full(count, -1, np.int64)
        self.used = False

    def fence(self, who: Array, now: int) -> None:
        self.used = True
        self._fenced[who] = now

    def observe(self, who: Array, now: int) -> None:
        self._observed[who] = now

    def ordered(self, earlier: Array, time: Array, later: Array) -> Array:
        """Whether an access by `earlier` at `time` is ordered before one by `later` now."""
        if not self.used:
            return np.zeros(np.shape(later), np.bool_)
        return (self._fenced[earlier] >= time) & (self._observed[later] > time)


class GridOrder:
    """The order of accesses by the threads of a launch; `inside` is False if a block's own are always in order."""

    def __init__(self, blocks: int, block_size: int, inside: bool) -> None:
        self.stride = block_size + 1
        self.dtype = np.int32 if blocks * self.stride < 2**31 else np.int64
        self.fences = Fences(blocks)
        self._inside = inside

    def numbers(self, blocks: LaneIndex, threads: LaneIndex) -> Array:
        return (blocks * self.stride + threads).astype(self.dtype)

    def several(self, numbers: Array) -> Array:
        """The number that stands for several threads of the same block."""
        return numbers - numbers % self.stride + (self.stride - 1)

    def unordered(self, engine: Engine, suspects: Array, other: Array, time: Array, lanes: LaneIndex) -> Array:
        """Of the `suspects` (a mask), those where nothing orders the access by the thread `other` at `time` before
        one by the lane now."""
        at = np.flatnonzero(suspects)
        bad = np.zeros(suspects.shape, np.bool_)
        if not at.size:
            return bad
        time, mine = time[at], lanes[at]
        blocks = engine.block_of[mine]
        theirs, thread = np.divmod(other[at], self.stride)
        same = theirs == blocks
        left = ~same
        if self._inside:
            left |= self._unordered_inside(engine, same, thread, time, mine)
        bad[at] = left & ~self.fences.ordered(theirs, time, blocks)
        return bad

    def _unordered_inside(self, engine: Engine, same: Array, thread: Array, time: Array, lanes: LaneIndex) -> Array:
        slots = engine.slot_of[lanes]
        left: Array = same & (time > engine.barrier_time[slots]) & (thread < self.stride - 1)
        if not left.any():
            return left
        partner = np.where(left, slots * (self.stride - 1) + thread, lanes)
        warps = engine.warp_of[lanes]
        left &= (engine.warp_of[partner] != warps) | (time > engine.syncwarp_time[warps])
        left &= ~engine.thread_fences.ordered(partner, time, lanes)
        return left
