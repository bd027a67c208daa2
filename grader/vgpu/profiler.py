"""Counts what a launch does while it runs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.flops import flops_of
from grader.vgpu.lanes import LaneIndex
from grader.vgpu.profile import AccessProfile, BranchProfile, LaunchProfile, LineProfile, is_triton
from grader.vgpu.transactions import SECTOR, WAVEFRONT, count_runs, distinct, ideal, sectors, wavefronts
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.codegen import Block
    from grader.vgpu.engine import Engine
    from grader.vgpu.launch import Launch


class Profiler:
    """Collects counts while a launch runs."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        size = len(launch.program.program.code)
        self._counts = {
            name: np.zeros(size, np.int64) for name in LineProfile.__dataclass_fields__ if name not in _KEYS
        }
        self._tiles = _Tiles(launch)
        self._idle = np.zeros(size, np.int64)
        self._atomics: Counter[int] = Counter()
        self._engine: Engine | None = None
        self._split_at: Array | None = None  # for each lane of the chunk, the last branch that split its warp
        self._last = 0

    def block(self, engine: Engine, block: Block, lanes: LaneIndex) -> None:
        """A group is about to run a block of instructions, which starts at engine.pc."""
        if engine is not self._engine:
            self._engine, self._split_at = engine, None
        self._last = block.end - 1
        self._tiles.flush(self._counts["global_sectors"])
        span = slice(block.end - block.size, block.end)
        everyone = lanes.size == engine.total
        self._counts["instructions"][span] += engine.warp_count if everyone else count_runs(engine.warp_of[lanes])
        self._counts["lanes"][span] += lanes.size
        if self._split_at is not None and not everyone:
            self._charge(self._split_at, engine, block.size, lanes)

    def _charge(self, split_at: Array, engine: Engine, size: int, lanes: LaneIndex) -> None:
        """Lanes that stand idle while others of their warp run are charged to the branch that parted them."""
        running = np.zeros(engine.warp_count, np.bool_)
        running[engine.warp_of[lanes]] = True
        idle = running[engine.warp_of]
        idle[lanes] = False
        charged = split_at[idle]
        self._idle += size * np.bincount(charged[charged >= 0], minlength=self._idle.size)

    def split(self, engine: Engine, lanes: LaneIndex, predicate: Array) -> None:
        """The group's lanes part at the branch that ends the current block."""
        warp = engine.warp_of[lanes]
        size = engine.warp_count
        mixed = (np.bincount(warp[predicate], minlength=size) > 0) & (
            np.bincount(warp[~predicate], minlength=size) > 0
        )
        if self._split_at is None:
            self._split_at = np.full(engine.total, -1, np.int64)
        self._split_at[lanes[mixed[warp]]] = self._last

    def access(self, engine: Engine, pc: int, space: str, address: Array, nbytes: int, lanes: LaneIndex) -> None:
        """The lanes access `nbytes` at their addresses in a state space."""
        if space not in ("global", "shared") or not lanes.size:
            return
        warp = engine.warp_of[lanes]
        where = np.broadcast_to(address, lanes.shape).astype(np.int64)
        counts = self._counts
        counts[f"{space}_requests"][pc] += count_runs(warp)
        if space == "global":
            keys = sectors(warp, where, nbytes)
            if not self._tiles.take(pc, keys):
                counts["global_sectors"][pc] += keys.size
            counts["global_ideal"][pc] += ideal(warp, nbytes, SECTOR)
            counts["global_bytes"][pc] += nbytes * lanes.size
        else:
            counts["shared_wavefronts"][pc] += wavefronts(warp, where, nbytes)
            counts["shared_ideal"][pc] += ideal(warp, nbytes, WAVEFRONT)

    def atomic(self, address: Array) -> None:
        """Lanes change global memory at their addresses by atomic operations."""
        self._atomics.update(
            dict(zip(*(part.tolist() for part in np.unique(address, return_counts=True)), strict=True))
        )

    def report(self) -> LaunchProfile:
        """The counts by source line."""
        launch = self._launch
        self._tiles.flush(self._counts["global_sectors"])
        groups: dict[tuple[str, int], list[int]] = {}
        program = launch.program.program
        for pc, ins in enumerate(program.code):
            place = program.module.locations[ins.loc]
            groups.setdefault((place.file, place.line), []).append(pc)
        executed = [(key, pcs) for key, pcs in sorted(groups.items()) if self._counts["lanes"][pcs].any()]
        return LaunchProfile(
            launch.grid,
            launch.block,
            launch.shared_size,
            tuple(self._line(*key, pcs) for key, pcs in executed),
            tuple(access for key, pcs in executed for access in self._accesses(*key, pcs)),
            tuple(BranchProfile(*key, int(self._idle[pcs].sum())) for key, pcs in executed if self._idle[pcs].any()),
            max(self._atomics.values(), default=0),
        )

    def _line(self, file: str, line: int, pcs: list[int]) -> LineProfile:
        code = self._launch.program.program.code
        mix: dict[str, int] = {}
        flops = 0
        for pc in pcs:
            executed = int(self._counts["instructions"][pc])
            mix[code[pc].op] = mix.get(code[pc].op, 0) + executed
            flops += flops_of(code[pc], int(self._counts["lanes"][pc]))
        totals = {name: int(counts[pcs].sum()) for name, counts in self._counts.items()}
        opcodes = tuple(sorted(mix.items(), key=lambda item: -item[1]))
        return LineProfile(file=file, line=line, opcodes=opcodes, flops=flops, **totals)

    def _accesses(self, file: str, line: int, pcs: list[int]) -> list[AccessProfile]:
        code, counts = self._launch.program.program.code, self._counts
        found = []
        for space, unit in (("global", "sectors"), ("shared", "wavefronts")):
            for verb, opcodes in _VERBS.items():
                mine = [pc for pc in pcs if code[pc].op in opcodes and counts[f"{space}_requests"][pc]]
                if mine:
                    names = (f"{space}_requests", f"{space}_{unit}", f"{space}_ideal")
                    figures = [int(counts[name][mine].sum()) for name in names]
                    found.append(AccessProfile(file, line, space, verb, *figures))
        return found


class _Tiles:
    """Sectors that the instructions of one of Triton's lines touch in one run of a block, each counted once."""

    def __init__(self, launch: Launch) -> None:
        program = launch.program.program
        places = [program.module.locations[ins.loc] for ins in program.code]
        first: dict[tuple[str, int, str], int] = {}
        self._first = {  # the first instruction that does the same on the same line
            pc: first.setdefault((place.file, place.line, program.code[pc].op), pc)
            for pc, place in enumerate(places)
            if is_triton(place.file)
        }
        self._touched: dict[int, list[Array]] = {}

    def take(self, pc: int, keys: Array) -> bool:
        """Keep the sectors (their `keys`) of an access until its line is done; False if they count at once."""
        if pc not in self._first:
            return False
        self._touched.setdefault(self._first[pc], []).append(keys)
        return True

    def flush(self, counts: Array) -> None:
        """A block has run to its end: add what its lines touched."""
        for pc, keys in self._touched.items():
            counts[pc] += distinct(np.concatenate(keys)).size
        self._touched.clear()


_KEYS = {"file", "line", "opcodes", "flops"}
_VERBS = {"read": {"ld", "ldu", "ldmatrix", "cp"}, "write": {"st", "stmatrix"}}
"""Opcodes by what they do to memory, without atomics: where those go is the algorithm's affair. cp.async also writes
shared memory, but its write is counted by the hardware with its read."""
