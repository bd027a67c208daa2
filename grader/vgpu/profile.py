"""Counts per source line, as a hardware profiler would show them; no times, which nothing here could know.

Global memory is counted in 32-byte sectors per request (one warp's execution of one instruction). Shared memory is
counted in wavefronts per request: how often the banks (32, of 4 bytes each) must be visited because several lanes
want different words of one bank. Source: "Memory Tables" of NVIDIA's Kernel Profiling Guide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from grader.vgpu.flops import flops_of
from grader.vgpu.lanes import LaneIndex
from grader.vgpu.types import Array

if TYPE_CHECKING:
    from grader.vgpu.codegen import Block
    from grader.vgpu.engine import Engine
    from grader.vgpu.launch import Launch

SECTOR = 32  # bytes
BANKS = 32
_BANK_WIDTH = 4  # bytes
_WAVEFRONT = BANKS * _BANK_WIDTH  # bytes that one visit of the banks can deliver


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


class Profile:
    """Collects counts while a launch runs."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        size = len(launch.program.program.code)
        self._counts = {
            name: np.zeros(size, np.int64) for name in LineProfile.__dataclass_fields__ if name not in _KEYS
        }

    def block(self, engine: Engine, block: Block, lanes: LaneIndex) -> None:
        """A group is about to run a block of instructions, which starts at engine.pc."""
        span = slice(block.end - block.size, block.end)
        warps = np.unique(engine.warp_of[lanes]).size
        self._counts["instructions"][span] += warps
        self._counts["lanes"][span] += lanes.size

    def access(self, engine: Engine, pc: int, space: str, address: Array, nbytes: int, lanes: LaneIndex) -> None:
        """The lanes access `nbytes` at their addresses in a state space."""
        if space not in ("global", "shared") or not lanes.size:
            return
        warp = engine.warp_of[lanes]
        where = np.broadcast_to(address, lanes.shape).astype(np.int64)
        counts = self._counts
        requests = np.unique(warp).size
        counts[f"{space}_requests"][pc] += requests
        if space == "global":
            counts["global_sectors"][pc] += _distinct_sectors(warp, where, nbytes)
            counts["global_ideal"][pc] += _ideal(warp, nbytes, SECTOR)
            counts["global_bytes"][pc] += nbytes * lanes.size
        else:
            counts["shared_wavefronts"][pc] += _wavefronts(warp, where, nbytes)
            counts["shared_ideal"][pc] += _ideal(warp, nbytes, _WAVEFRONT)

    def lines(self) -> tuple[LineProfile, ...]:
        """The counts by source line, in the order of the source."""
        program = self._launch.program.program
        groups: dict[tuple[str, int], list[int]] = {}
        for pc, ins in enumerate(program.code):
            place = program.module.locations[ins.loc]
            groups.setdefault((place.file, place.line), []).append(pc)
        return tuple(self._line(*key, pcs) for key, pcs in sorted(groups.items()) if self._counts["lanes"][pcs].any())

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


_KEYS = {"file", "line", "opcodes", "flops"}


def _distinct_sectors(warp: Array, where: Array, nbytes: int) -> int:
    """The number of distinct (warp, sector) pairs."""
    spans = [where // SECTOR, (where + nbytes - 1) // SECTOR] if nbytes > 1 else [where // SECTOR]
    keys = np.concatenate(spans)
    warps = np.tile(warp, len(spans))
    return int(np.unique(np.stack([warps, keys]), axis=1).shape[1])


def _ideal(warp: Array, nbytes: int, unit: int) -> int:
    """The units that each warp's bytes need if they are dense, added up over warps."""
    lanes = np.bincount(warp)
    return int((-(-lanes * nbytes // unit)).sum())


def _wavefronts(warp: Array, where: Array, nbytes: int) -> int:
    """Visits of the banks, added up over warps. Accesses wider than a bank are served in parts of a warp: a half for
    8 bytes, a quarter for 16."""
    words = max(nbytes // _BANK_WIDTH, 1)
    order = np.argsort(warp, kind="stable")
    warp, where = warp[order], where[order]
    starts = np.flatnonzero(np.concatenate([[True], warp[1:] != warp[:-1]]))
    position = np.arange(warp.size) - np.repeat(starts, np.diff(np.append(starts, warp.size)))
    part = warp * words + position // max(32 // words, 1)
    word = np.concatenate([where // _BANK_WIDTH + i for i in range(words)])
    pairs = np.unique(np.stack([np.tile(part, words), word]), axis=1)  # equal words are broadcast
    banks = np.bincount(np.unique(pairs[0], return_inverse=True)[1] * BANKS + pairs[1] % BANKS)
    padded = np.pad(banks, (0, -banks.size % BANKS))
    return int(padded.reshape(-1, BANKS).max(axis=1).sum())
