"""The shared state space: one array per block, with the race shadow beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.bytestore import ByteStore, granules, same_bits
from grader.vgpu.findings import how_many
from grader.vgpu.globalmem import POISON
from grader.vgpu.lanes import LaneIndex, Selection
from grader.vgpu.layout import align
from grader.vgpu.races import RaceShadow
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.engine import Engine


class SharedSpace:
    """Shared memory of all blocks of a chunk; `size` bytes each."""

    def __init__(self, engine: Engine, size: int, granule: int) -> None:
        self._engine = engine
        self.size = size
        self.stride = align(size, 16)
        self.granule = granule
        self.store = ByteStore(np.zeros(self.stride * engine.block_count, np.uint8))
        self.shadow = RaceShadow(engine, self.stride * engine.block_count // granule, self.describe)
        self._speculation = engine.launch.program.speculation
        self._pending: dict[int, list[tuple[Array, LaneIndex]]] = {}  # by PC: cells and lanes of loads not yet chosen
        self._base = engine.slot_of.astype(np.int64) * self.stride if engine.block_count > 1 else None

    def read(self, address: Array, size: int, count: int, lanes: LaneIndex, pc: int, strong: bool) -> list[Array]:
        good = self._check(address, size * count, lanes, pc, "read")
        if good is not None:
            result = [np.full(lanes.shape, POISON[size]) for _ in range(count)]
            if good.size:
                parts = self.read(np.broadcast_to(address, lanes.shape)[good], size, count, lanes[good], pc, strong)
                for target, value in zip(result, parts, strict=True):
                    target[good] = value
            return list(result)
        offset = self.offset(address, lanes)
        cells = granules(offset, size * count, self.granule)
        if pc in self._speculation.loads:
            self._drop(pc, lanes)
            self._pending.setdefault(pc, []).append((cells, lanes))
        else:
            self.shadow.read(cells, lanes, pc, strong)
        return self.store.read(offset, size, count)

    def choose(self, pc: int, predicate: Array, selection: Selection) -> None:
        """The selp at `pc` keeps, in some lanes, what loads before it have read: that counts as read from now on."""
        lanes = self._engine.lanes(selection)
        for load, when in self._speculation.choices[pc]:
            chosen = np.zeros(self._engine.total, np.bool_)
            chosen[lanes] = predicate if when else ~predicate
            for cells, who in self._pending.get(load, ()):
                keep = chosen[who]
                if keep.any():
                    self.shadow.read(_of(cells, keep), who[keep], load, False)
            self._drop(load, lanes)

    def _drop(self, load: int, lanes: LaneIndex) -> None:
        """Forget what these lanes have read at `load`."""
        if not self._pending.get(load):
            return
        gone = np.zeros(self._engine.total, np.bool_)
        gone[lanes] = True
        left = []
        for cells, who in self._pending[load]:
            keep = ~gone[who]
            if keep.any():
                left.append((_of(cells, keep), who[keep]))
        self._pending[load] = left

    def write(self, address: Array, values: list[Array], size: int, lanes: LaneIndex, pc: int, strong: bool) -> None:
        good = self._check(address, size * len(values), lanes, pc, "write")
        if good is not None:
            if good.size:
                part = [np.broadcast_to(value, lanes.shape)[good] for value in values]
                self.write(np.broadcast_to(address, lanes.shape)[good], part, size, lanes[good], pc, strong)
            return
        offset = np.broadcast_to(self.offset(address, lanes), lanes.shape)

        def same() -> Array:
            return same_bits(self.store.read(offset, size, len(values)), values)

        cells = granules(offset, size * len(values), self.granule)
        self.shadow.before_write(cells, lanes, pc, strong, same)
        self.store.write(offset, values, size)
        self.shadow.after_write(cells, lanes, pc, strong, same)

    def locate(self, address: Array, size: int, lanes: LaneIndex, pc: int) -> tuple[Array, Array]:
        """For atomics: (byte offsets in `store`, positions in `lanes`) of the lanes whose address is valid."""
        address = np.broadcast_to(address, lanes.shape)
        good = self._check(address, size, lanes, pc, "atomic access")
        at = np.arange(lanes.size) if good is None else good
        return self.offset(address[at], lanes[at]), at

    def offset(self, address: Array, lanes: LaneIndex) -> Array:
        """Byte offsets in `store` of shared addresses."""
        own = address.astype(np.int64)
        if self._base is None:
            return own
        return own + (self._base if lanes.size == self._base.size else self._base[lanes])

    def _check(self, address: Array, nbytes: int, lanes: LaneIndex, pc: int, verb: str) -> Array | None:
        """None if every address is valid; else the positions of the lanes whose address is (the rest is reported)."""
        wide = address.view(np.uint64) if address.dtype.itemsize == 8 else address.view(np.uint32)
        high = int(wide.max()) if wide.ndim else int(wide)
        combined = int(np.bitwise_or.reduce(wide)) if wide.ndim else high
        if high + nbytes <= self.size and not combined & (nbytes - 1):
            return None
        wide = np.broadcast_to(wide, lanes.shape)
        outside = wide > self.size - nbytes if nbytes <= self.size else np.ones(lanes.shape, bool)
        crooked = (wide & wide.dtype.type(nbytes - 1)) != 0
        if outside.any():
            first = int(np.flatnonzero(outside)[0])
            shown = int(wide[first : first + 1].view(f"i{wide.dtype.itemsize}")[0])
            text = (
                f"{self._engine.who(int(lanes[first]))} accesses {self.describe(shown, nbytes)}, but the block "
                f"has {self.size} bytes of shared memory ({how_many(int(outside.sum()))})"
            )
            self._engine.log.add("out of bounds", pc, text, f"shared {verb}")
        elif crooked.any():
            first = int(np.flatnonzero(crooked)[0])
            text = (
                f"{self._engine.who(int(lanes[first]))} accesses {nbytes} bytes at shared byte "
                f"{int(wide[first])}, which is not a multiple of {nbytes}"
            )
            self._engine.log.add("misaligned", pc, text, f"shared {verb}")
        return np.flatnonzero(~(outside | crooked))

    def describe(self, address: int, size: int) -> str:
        """The variable and element that a shared address falls into, as "smem[64]"."""
        for name, (start, variable) in self._engine.launch.layout.shared.items():
            end = start + variable.size if variable.size else self.size
            if start <= address < end:
                return f"{plain_name(name)}[{(address - start) // size}]"
        return f"shared byte {address}"


def _of(cells: Array, keep: Array) -> Array:
    """The cells of some of the lanes; those that all lanes share stay as they are."""
    return cells[keep] if np.ndim(cells) and len(cells) == keep.size else cells


def plain_name(mangled: str) -> str:
    """`_ZZ6matmulE4tile` is the variable `tile` of a function: the last length-prefixed name of the mangling."""
    import re

    found = re.search(r"E(\d+)([A-Za-z_]\w*)$", mangled) if mangled.startswith("_Z") else None
    return found[2][: int(found[1])] if found else mangled
