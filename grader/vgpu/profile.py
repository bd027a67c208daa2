"""Counts of one launch, as a hardware profiler would show them; no times, which nothing here could know."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.flops import flops_of
from grader.vgpu.lanes import LaneIndex
from grader.vgpu.transactions import SECTOR, WAVEFRONT, ideal, sectors, wavefronts
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.codegen import Block
    from grader.vgpu.engine import Engine
    from grader.vgpu.launch import Launch


@dataclass(frozen=True)
class LineProfile:
    """The counts of one source line over a whole launch.

    `instructions` are per warp, `lanes` per thread: lanes / (32 * instructions) is the share of active lanes.
    Requests and sectors (or wavefronts) are per warp; `global_ideal` and `shared_ideal` are what they would be if
    neighbouring lanes used neighbouring addresses. `global_bytes` are the bytes that lanes asked for.
    """

    file: str
    line: int
    instructions: int
    lanes: int
    flops: int
    global_requests: int
    global_sectors: int
    global_ideal: int
    global_bytes: int
    shared_requests: int
    shared_wavefronts: int
    shared_ideal: int
    opcodes: tuple[tuple[str, int], ...]  # base opcode, executions per warp; most frequent first

    @property
    def sectors_per_request(self) -> float:
        return self.global_sectors / self.global_requests if self.global_requests else 0.0

    @property
    def global_efficiency(self) -> float:
        """The ideal number of sectors over the actual one; 1.0 is perfectly coalesced."""
        return self.global_ideal / self.global_sectors if self.global_sectors else 1.0

    @property
    def wavefronts_per_request(self) -> float:
        return self.shared_wavefronts / self.shared_requests if self.shared_requests else 0.0

    @property
    def active_lanes(self) -> float:
        """The mean number of active lanes of a warp, at most 32."""
        return self.lanes / self.instructions if self.instructions else 0.0

    @property
    def intensity(self) -> float:
        """Flops per byte of global traffic (whole sectors); infinite without traffic."""
        traffic = self.global_sectors * SECTOR
        return self.flops / traffic if traffic else float("inf")


@dataclass(frozen=True)
class AccessProfile:
    """The reads or the writes of one line in one state space. `units` are sectors (global) or wavefronts (shared)."""

    file: str
    line: int
    space: str
    verb: str  # "read" or "write"
    requests: int
    units: int
    ideal: int


@dataclass(frozen=True)
class BranchProfile:
    """A branch at which warps were split, and the lane slots (lanes times instructions) that stood idle for it."""

    file: str
    line: int
    idle: int


@dataclass(frozen=True)
class LaunchProfile:
    """All counts of one launch. `shared` is the shared memory of a block in bytes, static and dynamic."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    lines: tuple[LineProfile, ...]  # in the order of the source
    accesses: tuple[AccessProfile, ...]
    branches: tuple[BranchProfile, ...]

    @property
    def threads(self) -> int:
        """Threads in a block."""
        return self.block[0] * self.block[1] * self.block[2]

    @property
    def warps(self) -> int:
        """Warps in the grid."""
        return self.grid[0] * self.grid[1] * self.grid[2] * -(-self.threads // 32)

    @cached_property
    def instructions(self) -> int:
        """Instructions issued, counted by warp."""
        return sum(line.instructions for line in self.lines)


class Profile:
    """Collects counts while a launch runs."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        size = len(launch.program.program.code)
        self._counts = {
            name: np.zeros(size, np.int64) for name in LineProfile.__dataclass_fields__ if name not in _KEYS
        }
        self._idle = np.zeros(size, np.int64)
        self._engine: Engine | None = None
        self._split_at: Array | None = None  # for each lane of the chunk, the last branch that split its warp
        self._last = 0

    def block(self, engine: Engine, block: Block, lanes: LaneIndex) -> None:
        """A group is about to run a block of instructions, which starts at engine.pc."""
        if engine is not self._engine:
            self._engine, self._split_at = engine, None
        self._last = block.end - 1
        span = slice(block.end - block.size, block.end)
        warps = np.unique(engine.warp_of[lanes])
        self._counts["instructions"][span] += warps.size
        self._counts["lanes"][span] += lanes.size
        if self._split_at is not None and lanes.size < engine.total:
            self._charge(self._split_at, engine, block.size, lanes, warps)

    def _charge(self, split_at: Array, engine: Engine, size: int, lanes: LaneIndex, warps: LaneIndex) -> None:
        """Lanes that stand idle while others of their warp run are charged to the branch that parted them."""
        running = np.zeros(engine.warp_count, np.bool_)
        running[warps] = True
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
        counts[f"{space}_requests"][pc] += np.unique(warp).size
        if space == "global":
            counts["global_sectors"][pc] += sectors(warp, where, nbytes)
            counts["global_ideal"][pc] += ideal(warp, nbytes, SECTOR)
            counts["global_bytes"][pc] += nbytes * lanes.size
        else:
            counts["shared_wavefronts"][pc] += wavefronts(warp, where, nbytes)
            counts["shared_ideal"][pc] += ideal(warp, nbytes, WAVEFRONT)

    def report(self) -> LaunchProfile:
        """The counts by source line."""
        launch = self._launch
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


_KEYS = {"file", "line", "opcodes", "flops"}
_VERBS = {"read": {"ld", "ldu", "ldmatrix", "cp"}, "write": {"st", "stmatrix"}}
"""Opcodes by what they do to memory, without atomics: where those go is the algorithm's affair. cp.async also writes
shared memory, but its write is counted by the hardware with its read."""
