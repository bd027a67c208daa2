"""The roofline: how fast this card could do a piece of work at best, and what limits it there.

Williams, Waterman, Patterson: "Roofline: an insightful visual performance model" (CACM 2009). The ceilings are
measured on the very card (ceilings.py), not taken from a data sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MOSTLY_READING = 0.9
"""From this share of reads on, the read-only ceiling is the right one; writes cost DRAM a turn-around."""


@dataclass(frozen=True)
class Ceilings:
    """What one card does at best: bytes/s copied (read plus written) and read, flop/s of a matrix product by type,
    and the seconds of an empty launch, of one in a CUDA graph, of a synchronisation, and of one of many atomic
    additions to the same address.
    """

    copy: float
    read: float
    matmul: Mapping[str, float]
    launch: float
    graph_launch: float
    synchronize: float
    atomic: float

    def bandwidth(self, work: Work) -> float:
        """The bytes/s that `work` could move at best."""
        return self.read if work.read >= MOSTLY_READING * work.bytes else self.copy


@dataclass(frozen=True)
class Work:
    """What a task must do: bytes it reads and writes at least once, and floating-point operations in `dtype`."""

    read: int
    written: int
    flops: float
    dtype: str

    @property
    def bytes(self) -> int:
        return self.read + self.written


@dataclass(frozen=True)
class Place:
    """Where a run of `seconds` stands: the bound ("memory", "compute", "launch"), and its share of that ceiling."""

    bound: str
    share: float
    bytes_per_second: float
    flops_per_second: float

    @property
    def rate(self) -> str:
        """ "4213 GB/s" or "51.2 TFLOP/s": the figure that its bound is about."""
        if self.bound == "compute":
            return f"{self.flops_per_second / 1e12:.1f} TFLOP/s"
        return f"{self.bytes_per_second / 1e9:.0f} GB/s"


def best_seconds(work: Work, ceilings: Ceilings) -> tuple[float, str]:
    """The least time that the ceilings allow, and which of them decides it."""
    limits = {"memory": work.bytes / ceilings.bandwidth(work), "launch": ceilings.graph_launch}
    if rate := ceilings.matmul.get(work.dtype):
        limits["compute"] = work.flops / rate
    bound = max(limits, key=lambda name: limits[name])
    return limits[bound], bound


def place(work: Work, ceilings: Ceilings, seconds: float) -> Place:
    """The place of a measured time on the roofline."""
    best, bound = best_seconds(work, ceilings)
    return Place(bound, best / seconds, work.bytes / seconds, work.flops / seconds)
