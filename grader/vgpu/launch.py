"""One kernel launch: arguments to bytes, blocks to chunks, and the report."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.vgpu.advice import advise
from grader.vgpu.arguments import pack_arguments
from grader.vgpu.codegen import CompiledProgram
from grader.vgpu.conflicts import Conflicts
from grader.vgpu.engine import Engine
from grader.vgpu.errors import LaunchError
from grader.vgpu.facts import Facts
from grader.vgpu.findings import Finding, FindingLog
from grader.vgpu.initialised import InitialisedMap
from grader.vgpu.layout import FIRST_GLOBAL, Layout
from grader.vgpu.ordering import GridOrder
from grader.vgpu.profile import LaunchProfile
from grader.vgpu.profiler import Profiler
from grader.vgpu.segments import SegmentTable

Dim = int | Sequence[int]
DEFAULT_BUDGET = 400_000_000  # thread-instructions, before a launch counts as an infinite loop
_CHUNK_LANES = 16384  # lanes that run at once: few enough that a register stays in the cache
_POLLING_LANES = 1 << 18  # blocks of a kernel that polls memory must all be resident
_CHUNK_SHARED = 1 << 26  # bytes of shared memory (and its shadow, several times as much) of one chunk
MAX_SHARED = 227 * 1024  # bytes per block on sm_90, the most that any supported target has
MAX_THREADS = 1024
_MAX_GRID = (2**31 - 1, 65535, 65535)


@dataclass(frozen=True)
class Report:
    """What a launch came to. `steps` counts thread-instructions; `profile`, and findings of severity "advice" that
    come from it, are there when it was asked for."""

    findings: tuple[Finding, ...]
    printed: str
    steps: int
    profile: LaunchProfile | None = None

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "error")


class Launch:
    """The state that all chunks of one launch share."""

    def __init__(
        self,
        compiled: CompiledProgram,
        layout: Layout,
        facts: Facts,
        variables: dict[str, Any],
        grid: Dim,
        block: Dim,
        args: Sequence[Any],
        smem: int,
        budget: int,
        profile: bool,
        initialised: InitialisedMap | None,
        names: Sequence[str],
        block_in_order: bool,
    ) -> None:
        self.program = compiled
        self.layout = layout
        self.grid, self.block = dimensions(grid, "grid"), dimensions(block, "block")
        check_dimensions(self.grid, self.block)
        self.block_size = self.block[0] * self.block[1] * self.block[2]
        self.dynamic_shared = smem
        self.shared_size = layout.static_shared + smem
        if smem < 0 or self.shared_size > MAX_SHARED:
            raise LaunchError(f"{self.shared_size} bytes of shared memory per block, the most is {MAX_SHARED}")
        self.shared_granule = facts.shared_granule
        module = compiled.program.module
        self.log = FindingLog(lambda pc: module.locations[compiled.program.code[pc].loc])
        self.now = 1  # memory accesses and synchronisations so far: the time of the shadow memories
        self.steps = 0
        self.budget = budget
        self.stopped = False
        self.printed: list[str] = []
        self.printed_size = 0
        self.profile = Profiler(self) if profile else None
        self.segments = SegmentTable(FIRST_GLOBAL + len(layout.globals))
        self.const_data = variables["const"]
        for name, window in layout.globals.items():
            self.segments.add_variable(window, variables[name], name, facts.element_of(name))
        params = compiled.program.routines[0].function.params
        self.param_data = pack_arguments(params, layout, args, self.segments, names)
        self._mark_segments(facts, initialised)
        blocks = self.grid[0] * self.grid[1] * self.grid[2]
        self.block_in_order = block_in_order
        self.order = GridOrder(blocks, self.block_size, inside=not block_in_order)
        alone = blocks == 1 and (block_in_order or self.block_size == 1)
        self.conflicts = None if alone else Conflicts(facts.global_granule, self.order)
        self.lanes_at_once = _POLLING_LANES if facts.polls else _CHUNK_LANES

    def _mark_segments(self, facts: Facts, initialised: InitialisedMap | None) -> None:
        params = self.program.program.routines[0].function.params
        written: set[int] | None = None
        if facts.written_params is not None:
            offsets = [
                self.layout.param_offsets[p.name] for p in params if p.name in facts.written_params and p.size == 8
            ]
            written = {int(self.param_data[at : at + 8].view(np.uint64)[0]) >> 36 for at in offsets}
            if any(p.type == "b8" for p in params if p.name in facts.written_params):
                written = None  # a pointer inside a struct
        for window, segment in self.segments.by_window.items():
            is_variable = window < FIRST_GLOBAL + len(self.layout.globals)
            segment.may_write = is_variable or written is None or window in written
            if initialised is not None and not is_variable:
                segment.uninitialised = initialised.view(segment)

    def run(self, seed: int) -> None:
        """Run all blocks; a seed other than 0 shuffles their order."""
        count = self.grid[0] * self.grid[1] * self.grid[2]
        order = np.arange(count)
        if seed:
            order = np.array(random.Random(seed).sample(range(count), count), np.int64)
        step = max(self.lanes_at_once // self.block_size, 1)
        if self.shared_size:
            step = max(min(step, _CHUNK_SHARED // self.shared_size), 1)
        with np.errstate(all="ignore"):
            for start in range(0, count, step):
                if self.stopped:
                    break
                Engine(self, order[start : start + step]).run()

    def report(self) -> Report:
        profile = self.profile.report() if self.profile is not None else None
        advice = advise(profile) if profile is not None else ()
        return Report((*self.log.all(), *advice), "".join(self.printed), self.steps, profile)

    def thread_name(self, thread: int) -> str:
        return _coordinates(thread, self.block)

    def block_name(self, block: int) -> str:
        return _coordinates(block, self.grid)


def _coordinates(index: int, extent: tuple[int, int, int]) -> str:
    """A linear index as CUDA coordinates, with as many components as the extent needs."""
    x, y, z = index % extent[0], index // extent[0] % extent[1], index // (extent[0] * extent[1])
    if extent[2] > 1:
        return f"({x}, {y}, {z})"
    return f"({x}, {y})" if extent[1] > 1 else str(x)


def dimensions(value: Dim, what: str) -> tuple[int, int, int]:
    """A grid or block size as three numbers. Raises LaunchError."""
    items = (value,) if isinstance(value, (int, np.integer)) else tuple(value)
    if not 1 <= len(items) <= 3:
        raise LaunchError(f"the {what} must have one to three dimensions, got {items}")
    numbers = [int(item) for item in items] + [1, 1]
    return numbers[0], numbers[1], numbers[2]


def empty_grid(shown: Dim) -> str:
    """What to say of a grid with a 0 in it."""
    return f"grid is {shown}: nothing would run. n // BLOCK rounds down, to 0 for a small n; cdiv(n, BLOCK) rounds up"


def check_dimensions(grid: tuple[int, int, int], block: tuple[int, int, int]) -> None:
    """Raise LaunchError for sizes that a GPU refuses."""
    if 0 in grid:
        raise LaunchError(empty_grid(grid))
    if min(grid) < 1 or any(n > limit for n, limit in zip(grid, _MAX_GRID, strict=True)):
        raise LaunchError(f"the grid {grid} is outside what a GPU accepts, which is 1 to {_MAX_GRID}")
    threads = block[0] * block[1] * block[2]
    if min(block) < 1 or threads > MAX_THREADS or block[2] > 64:
        raise LaunchError(f"the block {block} has {threads} threads; a block has 1 to {MAX_THREADS} (z at most 64)")
