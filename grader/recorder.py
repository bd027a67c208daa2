"""Collects, in the worker, what the kernels of one call of solve() cost and did."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from grader.kernelprofile import MAX_LINES, KernelProfile
from grader.launched import Launched, of_triton
from grader.vgpu.errors import LaunchError
from grader.vgpu.launch import empty_grid
from grader.vgpu.occupancy import LIMITS, occupancy
from grader.vgpu.profile import LaunchProfile

Dim3 = tuple[int, int, int]


class Recorder:
    """Listens to launches while it is `active`. `shapes` are always kept: of the first two launches since it was last
    emptied, None where a launch's is not known. `waits` counts how often the host has waited for the device.
    """

    def __init__(self) -> None:
        self.active = False
        self.waits = 0
        self.shapes: list[Launched | None] = []
        self.builds: dict[object, dict[str, Any]] = {}
        self._launches: dict[str, list[LaunchProfile]] = {}
        self._largest: dict[object, int] = {}

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """The time of one call; what was recorded before is forgotten."""
        self.builds, self._launches, self._largest = {}, {}, {}
        self.waits, self.active = 0, True
        try:
            yield
        finally:
            self.active = False

    def launched(self, key: object, build: Mapping[str, Any], grid: Dim3, block: Dim3, smem: int) -> None:
        """The compiled kernel `key`, which costs `build`, was launched with `smem` bytes of dynamic shared memory.
        Of several launches, the one with the most threads tells the kernel's occupancy.
        """
        threads = block[0] * block[1] * block[2]
        size = grid[0] * grid[1] * grid[2] * threads
        if size > self._largest.get(key, 0):
            self._largest[key] = size
            self.builds[key] = {**build, "threads": threads, "dynamic_shared": smem, **_fit(build, threads, smem)}

    def noted(self, grid: Any, values: Mapping[str, Any]) -> Any:
        """The grid that Triton is given; the launch's shape is kept once that is known. Triton itself would launch
        nothing, without a word, over an empty one. Raises LaunchError.
        """
        if callable(grid):
            return lambda meta: self.noted(grid(meta), dict(meta))
        if isinstance(grid, tuple) and any(isinstance(size, int) and size == 0 for size in grid):
            raise LaunchError(empty_grid(grid))
        if len(self.shapes) < 2:  # an autotuner asks for the grid of each of its thousands of trials
            self.shapes.append(of_triton(grid, values))
        return grid

    def counted(self, kernel: str, profile: LaunchProfile) -> None:
        """The virtual GPU counted what a launch did."""
        self._launches.setdefault(kernel, []).append(profile)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each kernel, as KernelProfile.from_json() takes it."""
        share = MAX_LINES // max(len(self._launches), 1)
        return [KernelProfile.of(*item).shortened(share).to_json() for item in self._launches.items()]


def _fit(build: Mapping[str, Any], threads: int, smem: int) -> dict[str, Any]:
    """Occupancy in percent and what limits it, where the target's limits and the kernel's costs are known."""
    if "registers" not in build or str(build["target"]).rstrip("af") not in LIMITS:
        return {}
    fit = occupancy(build["target"], threads, build["registers"], build["shared"] + smem)
    return {"occupancy": round(100 * fit.fraction, 1), "limiter": fit.limiter}


recorder = Recorder()
"""The process's recorder: a worker serves one submission."""
