"""Memory that only one thread or nobody writes: the local space (call frames), constants and kernel parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.bytestore import Bytes, ByteStore
from grader.vgpu.globalmem import POISON
from grader.vgpu.lanes import LaneIndex
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine

MAX_DEPTH = 512  # calls


class LocalSpace:
    """The stacks of a chunk's threads. A call at depth d has its frame at d * frame_size; rows grow when needed."""

    def __init__(self, engine: Engine, frame_size: int) -> None:
        self._engine = engine
        self._frame = frame_size
        self._row = max(frame_size, 16)
        self._store = ByteStore(np.zeros(self._row * engine.total, np.uint8))
        self._written = ByteStore(np.zeros(self._row * engine.total, np.uint8))

    def ensure(self, depth: int) -> None:
        """Make room for a frame at `depth`."""
        needed = (depth + 1) * self._frame
        if needed <= self._row:
            return
        row = max(2 * self._row, needed)
        for name in ("_store", "_written"):
            old: ByteStore = getattr(self, name)
            grown = np.zeros((self._engine.total, row), np.uint8)
            grown[:, : self._row] = old.data.reshape(self._engine.total, self._row)
            setattr(self, name, ByteStore(grown.reshape(-1)))
        self._row = row

    def read(self, address: Array, size: int, count: int, lanes: LaneIndex, pc: int, strong: bool) -> list[Array]:
        good = self._check(address, size * count, lanes, pc, "read")
        if good is not None:
            result = [np.full(lanes.shape, POISON[size]) for _ in range(count)]
            if good.size:
                parts = self.read(np.broadcast_to(address, lanes.shape)[good], size, count, lanes[good], pc, strong)
                for target, value in zip(result, parts, strict=True):
                    target[good] = value
            return list(result)
        offset = lanes * self._row + address.astype(np.int64)
        marks = self._written.read(offset, size, count)
        if any((mark == 0).all() for mark in marks):  # if only some lanes: the compiler may read ahead of a condition
            text = (
                f"{self._engine.who(int(lanes[0]))} reads a local variable or array element that it has not written"
            )
            self._engine.log.add("uninitialised", pc, text, "local read")
        return self._store.read(offset, size, count)

    def write(self, address: Array, values: list[Array], size: int, lanes: LaneIndex, pc: int, strong: bool) -> None:
        good = self._check(address, size * len(values), lanes, pc, "write")
        if good is not None:
            address = np.broadcast_to(address, lanes.shape)[good]
            values = [np.broadcast_to(value, lanes.shape)[good] for value in values]
            lanes = lanes[good]
        offset = lanes * self._row + address.astype(np.int64)
        self._store.write(offset, values, size)
        self._written.write(offset, [POISON[size]] * len(values), size)

    def copy(self, source: int, target: int, nbytes: int, lanes: LaneIndex) -> None:
        """Copy bytes between two places of each thread's stack (parameters and results of calls)."""
        for store in (self._store, self._written):
            table = store.data.reshape(self._engine.total, self._row)
            table[lanes, target : target + nbytes] = table[lanes, source : source + nbytes]

    def peek(self, offset: int, nbytes: int, lanes: LaneIndex) -> Array:
        """The bytes at one stack offset of each lane, unchecked."""
        table = self._store.data.reshape(self._engine.total, self._row)
        return np.ascontiguousarray(table[lanes, offset : offset + nbytes])

    def poke(self, offset: int, value: np.generic, lanes: LaneIndex) -> None:
        """Set one scalar at a stack offset of each lane."""
        raw = np.frombuffer(value.tobytes(), np.uint8)
        for store in (self._store, self._written):
            store.data.reshape(self._engine.total, self._row)[lanes, offset : offset + raw.size] = raw

    def _check(self, address: Array, nbytes: int, lanes: LaneIndex, pc: int, verb: str) -> Array | None:
        wide = address.view(f"u{address.dtype.itemsize}")
        bad = (wide > self._row - nbytes) | ((wide & wide.dtype.type(nbytes - 1)) != 0)
        if not bad.any():
            return None
        bad = np.broadcast_to(bad, lanes.shape)
        first = int(np.flatnonzero(bad)[0])
        text = f"{self._engine.who(int(lanes[first]))} accesses {nbytes} bytes outside its local variables"
        self._engine.log.add("out of bounds", pc, text, f"local {verb}")
        return np.flatnonzero(~bad)


class ReadOnlySpace:
    """Constant memory, or a kernel's parameters when they are read through a pointer."""

    def __init__(self, engine: Engine, data: Bytes, name: str) -> None:
        self._engine = engine
        self._store = ByteStore(data)
        self._name = name

    def read(self, address: Array, size: int, count: int, lanes: LaneIndex, pc: int, strong: bool) -> list[Array]:
        offset = address.astype(np.int64)
        bad = (offset < 0) | (offset + size * count > self._store.data.size) | (offset % size != 0)
        if bad.any():
            first = int(np.flatnonzero(np.broadcast_to(bad, lanes.shape))[0])
            where = int(np.broadcast_to(offset, lanes.shape)[first])
            text = (
                f"{self._engine.who(int(lanes[first]))} reads byte {where} of {self._name} memory, which has "
                f"{self._store.data.size} bytes in this kernel"
            )
            self._engine.log.add("out of bounds", pc, text, f"{self._name} read")
            offset = np.where(bad, 0, offset)
            if self._store.data.size < size * count:
                return [np.full(lanes.shape, POISON[size])] * count
        return self._store.read(offset, size, count)

    def write(self, address: Array, values: list[Array], size: int, lanes: LaneIndex, pc: int, strong: bool) -> None:
        text = f"{self._engine.who(int(lanes[0]))} writes to {self._name} memory, which a kernel cannot change"
        self._engine.log.add("out of bounds", pc, text, f"{self._name} write")
