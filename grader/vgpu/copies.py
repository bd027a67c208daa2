"""Asynchronous copies from global to shared memory (cp.async), with their groups.

The bytes are copied at once; the race shadow holds them as pending until the issuing thread waits for their group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.bytestore import granules
from grader.vgpu.lanes import Selection
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine


class AsyncCopies:
    """Group numbers of every lane: copies issued now belong to group committed + 1."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._committed = np.zeros(engine.total, np.int64)

    def start(
        self,
        target: Array,
        source: Array,
        size: int,
        length: Array | None,
        selection: Selection,
        guard: Array | None,
        pc: int,
    ) -> None:
        """Copy `size` bytes per lane, of which only the first `length` are read and the rest are zeros."""
        engine = self._engine
        lanes = engine.lanes(selection)
        if guard is not None:
            kept = np.flatnonzero(np.broadcast_to(guard, lanes.shape))
            target, source = np.broadcast_to(target, lanes.shape)[kept], np.broadcast_to(source, lanes.shape)[kept]
            length = np.broadcast_to(length, lanes.shape)[kept] if length is not None else None
            lanes = lanes[kept]
        if not lanes.size:
            return
        engine.launch.now += 1
        target = np.broadcast_to(target, lanes.shape)
        count = size // 4
        values: list[Array] = [np.zeros(lanes.shape, np.uint32) for _ in range(count)]
        short = np.broadcast_to(size if length is None else np.minimum(length, size), lanes.shape).astype(np.int64)
        for nbytes in np.unique(short).tolist():
            at = np.flatnonzero(short == nbytes)
            if nbytes:
                part = np.broadcast_to(source, lanes.shape)[at]
                words = engine.memory.read_words(part, nbytes, lanes[at], pc)
                for value, word in zip(values, words, strict=False):
                    value[at] = word
        engine.shared.write(target, values, 4, lanes, pc, False)
        shared = engine.shared
        wide = target.view(np.uint64) if target.dtype.itemsize == 8 else target.view(np.uint32)
        good = np.flatnonzero((wide + wide.dtype.type(size) <= shared.size) & (wide % wide.dtype.type(size) == 0))
        if good.size:
            cells = granules(shared.offset(target[good], lanes[good]), size, shared.granule)
            shared.shadow.begin_copy(cells, lanes[good], self._committed[lanes[good]] + 1, pc)

    def commit(self, selection: Selection, guard: Array | None) -> None:
        """Close the group of copies issued so far."""
        self._committed[self._engine.lanes(selection)] += 1

    def wait(self, selection: Selection, pending: int | None) -> None:
        """Wait until at most `pending` groups are under way; None: for everything."""
        engine = self._engine
        lanes = engine.lanes(selection)
        done = np.full(engine.total, -1, np.int64)
        done[lanes] = self._committed[lanes] + 1 if pending is None else self._committed[lanes] - pending
        engine.launch.now += 1
        engine.shared.shadow.finish_copies(done)
