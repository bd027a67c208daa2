"""Counts of one launch, as a hardware profiler would show them; no times, which nothing here could know."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from grader.vgpu.transactions import SECTOR


@dataclass(frozen=True)
class LineProfile:
    """The counts of one source line over a whole launch.

    `instructions` are per warp, `lanes` per thread: lanes / (32 * instructions) is the share of active lanes.
    Requests and sectors (or wavefronts) are per warp; `global_ideal` and `shared_ideal` are what they would be if
    neighbouring lanes used neighbouring addresses. `global_bytes` are the bytes that lanes asked for. In Triton's
    sources, where a line loads or stores a tile that the compiler splits into instructions as it likes, a sector that
    several of these touch in turn counts once.
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
        """The ideal number of sectors over the actual one; 1.0 is perfect, as are lanes that share a sector."""
        return min(self.global_ideal / self.global_sectors, 1.0) if self.global_sectors else 1.0

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
    """All counts of one launch. `shared` is the shared memory of a block in bytes, static and dynamic; `chain` the
    atomic operations on the address in global memory that has the most of them: they happen one after the other.
    """

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    lines: tuple[LineProfile, ...]  # in the order of the source
    accesses: tuple[AccessProfile, ...]
    branches: tuple[BranchProfile, ...]
    chain: int

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


def is_triton(file: str) -> bool:
    return file.endswith(".py")
