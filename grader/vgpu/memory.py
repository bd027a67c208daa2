"""The memory instructions of generated code: guards, state spaces and generic addresses, fences.

Each state space (globalmem.py, sharedmem.py, localmem.py) checks and performs accesses of its own; here an access of
a group of lanes is cut down to the lanes whose guard holds, and one with generic addresses is split by space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from grader.vgpu import lanes as lane_sets
from grader.vgpu.atomics import apply_atomic
from grader.vgpu.bytestore import granules
from grader.vgpu.globalmem import GlobalSpace
from grader.vgpu.lanes import LaneIndex, Selection
from grader.vgpu.layout import LOCAL_WINDOW, SHARED_WINDOW, WINDOW_BITS, WINDOW_MASK
from grader.vgpu.localmem import ReadOnlySpace
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine

_SPACE_OF_WINDOW = {1: "shared", 2: "local", 3: "const", 4: "param"}  # the rest is global


class Space(Protocol):
    """What every state space does for a set of lanes; addresses are in that space."""

    def read(self, address: Array, size: int, count: int, lanes: LaneIndex, pc: int, strong: bool) -> list[Array]: ...

    def write(
        self, address: Array, values: list[Array], size: int, lanes: LaneIndex, pc: int, strong: bool
    ) -> None: ...


class Memory:
    """All state spaces as one chunk of blocks sees them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._globals = GlobalSpace(engine)
        self._spaces: dict[str, Space] = {
            "global": self._globals,
            "shared": engine.shared,
            "local": engine.local,
            "const": ReadOnlySpace(engine, engine.launch.const_data, "constant"),
            "param": ReadOnlySpace(engine, engine.launch.param_data, "parameter"),
        }

    def load(
        self,
        space: str,
        address: Array,
        size: int,
        count: int,
        selection: Selection,
        guard: Array | None,
        pc: int,
        strong: bool,
    ) -> list[Array]:
        """`count` elements of `size` bytes for each lane of the group; lanes whose guard is false get zeros."""
        self._engine.launch.now += 1
        lanes = self._engine.lanes(selection)
        kept = _guarded(guard)
        if kept is not None:
            if kept.size == 0:
                return [np.zeros((), f"u{size}")[()]] * count
            address, lanes = address[kept] if address.ndim else address, lanes[kept]
        if strong:
            self._engine.polls += 1
            self.observe(lanes, None)
        values = self.read_space(space, address, size, count, lanes, pc, strong)
        if kept is None:
            return values
        return [_scatter(value, kept, lane_sets.size(selection, self._engine.total)) for value in values]

    def read_space(
        self, space: str, address: Array, size: int, count: int, lanes: LaneIndex, pc: int, strong: bool = False
    ) -> list[Array]:
        """Read for exactly these lanes."""
        if space != "generic":
            if self._engine.launch.profile is not None:
                self._engine.launch.profile.access(self._engine, pc, space, address, size * count, lanes)
            return self._spaces[space].read(address, size, count, lanes, pc, strong)
        pieces = self._by_space(address, lanes)
        if len(pieces) == 1:
            return self.read_space(pieces[0][0], pieces[0][1], size, count, lanes, pc, strong)
        result = [np.zeros(lanes.shape, f"u{size}") for _ in range(count)]
        for name, part, at in pieces:
            for target, value in zip(
                result, self.read_space(name, part, size, count, lanes[at], pc, strong), strict=True
            ):
                target[at] = value
        return list(result)

    def store(
        self,
        space: str,
        address: Array,
        values: list[Array],
        size: int,
        selection: Selection,
        guard: Array | None,
        pc: int,
        strong: bool,
    ) -> None:
        """Store one element per value for each lane of the group whose guard holds."""
        self._engine.launch.now += 1
        lanes = self._engine.lanes(selection)
        kept = _guarded(guard)
        if kept is not None:
            if kept.size == 0:
                return
            address, lanes = address[kept] if address.ndim else address, lanes[kept]
            values = [value[kept] if value.ndim else value for value in values]
        self.write_space(space, address, values, size, lanes, pc, strong)

    def write_space(
        self,
        space: str,
        address: Array,
        values: list[Array],
        size: int,
        lanes: LaneIndex,
        pc: int,
        strong: bool = False,
    ) -> None:
        """Write for exactly these lanes."""
        if space != "generic":
            if self._engine.launch.profile is not None:
                self._engine.launch.profile.access(self._engine, pc, space, address, size * len(values), lanes)
            self._spaces[space].write(address, values, size, lanes, pc, strong)
            return
        for name, part, at in self._by_space(address, lanes):
            piece = [value[at] if value.ndim else value for value in values]
            self.write_space(name, part, piece, size, lanes[at], pc, strong)

    def _by_space(self, address: Array, lanes: LaneIndex) -> list[tuple[str, Array, Array]]:
        """Split generic addresses: (space, addresses in that space, positions)."""
        address = np.broadcast_to(address, lanes.shape).view(np.uint64)
        windows = address >> np.uint64(WINDOW_BITS)
        pieces = []
        for window in np.unique(np.minimum(windows, np.uint64(5))).tolist():
            at = np.flatnonzero(windows == window) if window < 5 else np.flatnonzero(windows >= 5)
            space = _SPACE_OF_WINDOW.get(window, "global")
            base = np.uint64(window << WINDOW_BITS) if space != "global" else np.uint64(0)
            pieces.append((space, address[at] - base, at))
        return pieces

    def atomic(
        self,
        space: str,
        op: str,
        type_: str,
        address: Array,
        values: tuple[Array, ...],
        selection: Selection,
        guard: Array | None,
        pc: int,
        needed: bool,
    ) -> Array:
        """Apply an atomic for each lane in turn; the old values (zeros where nothing was done)."""
        self._engine.launch.now += 1
        self._engine.polls += 1
        lanes = self._engine.lanes(selection)
        count = lanes.size
        kept = _guarded(guard)
        if kept is not None:
            address = address[kept] if address.ndim else address
            values = tuple(value[kept] if value.ndim else value for value in values)
            lanes = lanes[kept]
        old = np.zeros(lanes.shape, values[0].dtype)
        if lanes.size:
            self.observe(lanes, None)
            pieces = (
                self._by_space(address, lanes) if space == "generic" else [(space, address, np.arange(lanes.size))]
            )
            for name, part, at in pieces:
                if name == "global" and self._engine.launch.profile is not None:
                    self._engine.launch.profile.atomic(np.broadcast_to(part, at.shape))
                spread = tuple(np.broadcast_to(value, lanes.shape)[at] for value in values)
                old[at] = apply_atomic(self._engine, name, op, type_, part, spread, lanes[at], pc, needed)
        return old if kept is None else _scatter(old, kept, count)

    def locate(
        self, space: str, address: Array, size: int, lanes: LaneIndex, pc: int
    ) -> list[tuple[Array, Array, Array]]:
        """For atomics: (elements, indices, positions in lanes) of each piece of memory, with the checks done."""
        if space == "shared":
            offset, at = self._engine.shared.locate(address, size, lanes, pc)
            if at.size:
                self._engine.shared.shadow.atomic(granules(offset, size, self._engine.shared.granule), lanes[at], pc)
            return [(self._engine.shared.store.view(size)[0], self._engine.shared.store.index(offset, size), at)]
        pieces = []
        for segment, offset, at in self._globals.locate(address, size, lanes, pc):
            conflicts = self._engine.launch.conflicts
            if conflicts is not None:
                conflicts.of(segment).atomic(self._engine, granules(offset, size, conflicts.granule), lanes[at], pc)
            pieces.append((segment.store.view(size)[0], segment.store.index(offset, size), at))
            if segment.uninitialised is not None:
                self._globals.check_initialised(segment, offset, size, lanes[at], pc)
        return pieces

    def read_words(self, address: Array, nbytes: int, lanes: LaneIndex, pc: int) -> list[Array]:
        """`nbytes` of global memory per lane as 32-bit words, the last one filled up with zeros."""
        if nbytes % 4 == 0:
            return self.read_space("global", address, 4, nbytes // 4, lanes, pc, False)
        parts = self.read_space("global", address, 1, nbytes, lanes, pc, False)
        parts += [np.zeros(lanes.shape, np.uint8)] * (-nbytes % 4)
        octets = np.stack([np.broadcast_to(part, lanes.shape) for part in parts], axis=1)
        return list(np.ascontiguousarray(octets).view(np.uint32).T)

    def peek(self, address: int, nbytes: int, lane: int) -> bytes:
        """Bytes at a generic address as one lane sees them, unchecked; empty if there is nothing."""
        if address >> WINDOW_BITS == LOCAL_WINDOW:
            offset = address & WINDOW_MASK
            return bytes(self._engine.local.peek(offset, nbytes, np.array([lane])))
        segment = self._engine.launch.segments.by_window.get(address >> WINDOW_BITS)
        if segment is None:
            return b""
        offset = address - segment.base
        return bytes(segment.store.data[offset : offset + nbytes]) if offset >= 0 else b""

    def observe(self, selection: Selection, guard: Array | None) -> None:
        """An acquiring operation: what other threads fenced before is now ordered before this thread."""
        lanes = self._engine.lanes(selection)
        kept = _guarded(guard)
        lanes = lanes if kept is None else lanes[kept]
        self._engine.launch.order.fences.observe(self._engine.block_of[lanes], self._engine.launch.now)
        self._engine.thread_fences.observe(lanes, self._engine.launch.now)

    def fence(self, selection: Selection, guard: Array | None, scope: str) -> None:
        """A releasing operation of a scope: "cta" orders within the block only."""
        lanes = self._engine.lanes(selection)
        kept = _guarded(guard)
        lanes = lanes if kept is None else lanes[kept]
        self._engine.launch.now += 1
        self._engine.thread_fences.fence(lanes, self._engine.launch.now)
        if scope != "cta":
            self._engine.launch.order.fences.fence(self._engine.block_of[lanes], self._engine.launch.now)

    def report_wild(self, address: int, lane: int, pc: int, verb: str) -> None:
        """An address that lies in no window of global memory."""
        window = address >> WINDOW_BITS
        if window == 0 and address < 1 << 20:
            self._engine.log.add(
                "null pointer", pc, f"{self._engine.who(lane)} uses the address {address:#x}", f"global {verb}"
            )
            return
        space = {SHARED_WINDOW: "shared", LOCAL_WINDOW: "local"}.get(window)
        what = f"the address of a {space} variable as a global address" if space else f"the wild address {address:#x}"
        self._engine.log.add("out of bounds", pc, f"{self._engine.who(lane)} uses {what}", f"global {verb}")


def _guarded(guard: Array | None) -> LaneIndex | None:
    """None if every lane's guard holds, else the positions of those whose does."""
    if guard is None:
        return None
    if guard.ndim == 0:
        return None if guard else np.empty(0, np.int64)
    kept = np.flatnonzero(guard)
    return None if kept.size == guard.size else kept


def _scatter(value: Array, kept: LaneIndex, count: int) -> Array:
    result = np.zeros(count, value.dtype)
    result[kept] = value
    return result
