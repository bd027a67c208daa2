"""What holds a piece of work back: four limits, each with the time that it alone would cost.

The counts come from the virtual GPU, the rates are a card's measured ceilings. Caches are not modelled, nor is what
overlaps with what, so the answer is only as clear as the distance between the largest cost and the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from typing import Self

from grader.kernelprofile import KernelProfile
from grader.roofline import Ceilings

BOUNDS = ("memory", "compute", "launch", "synchronisation")

FLOPS_PER_INSTRUCTION = 64
"""A warp's fused multiply-adds, which the float32 ceiling counts; other instructions are issued no faster."""

FREE = frozenset({"mov", "cvta"})
"""PTX instructions that the assembler makes disappear, nearly all of them."""

H200 = Ceilings(
    copy=4260e9,
    read=4337e9,
    matmul={"float32": 51e12, "float16": 750e12, "bfloat16": 780e12},
    launch=4.3e-6,
    graph_launch=0.55e-6,
    synchronize=12e-6,
    atomic=1.8e-9,
)
"""One card's ceilings, as `grade calibrate` measured them: the card of the question where there is none."""


@dataclass(frozen=True)
class Counts:
    """What all kernels of one call of solve() came to. `traffic` is in bytes, in whole sectors; `instructions` are
    counted by warp, without those that are FREE; `waits` are those of the host for the device; `chain` are atomic
    operations one after the other.
    """

    traffic: float
    instructions: float
    launches: float
    waits: float
    chain: float

    @classmethod
    def of(cls, kernels: Iterable[KernelProfile], waits: int) -> Self:
        """All kernels of one call added up."""
        every = list(kernels)
        return cls(
            traffic=sum(kernel.traffic for kernel in every),
            instructions=sum(n for kernel in every for opcode, n in kernel.mix.items() if opcode not in FREE),
            launches=sum(kernel.launches for kernel in every),
            waits=waits,
            chain=sum(kernel.chain for kernel in every),
        )

    def __str__(self) -> str:
        return (
            f"moves {self.traffic / 1e6:,.3f} MB, issues {self.instructions:,.0f} instructions (by warp; "
            f"{' and '.join(sorted(FREE))} left out), launches {self.launches:,.0f} times, waits "
            f"{self.waits:,.0f} times for the GPU, {self.chain:,.0f} atomics on one address"
        )


def extrapolate(small: Counts, large: Counts, sizes: tuple[float, float], to: float) -> Counts:
    """The counts at size `to`, from those at two `sizes`: each count grows by the same amount with each step."""
    step = (to - sizes[1]) / (sizes[1] - sizes[0])
    pairs = zip(astuple(small), astuple(large), strict=True)
    return Counts(*(max(0.0, after + step * (after - before)) for before, after in pairs))


def costs(counts: Counts, ceilings: Ceilings) -> Mapping[str, float]:
    """The seconds that each bound alone would cost."""
    return {
        "memory": counts.traffic / ceilings.copy,
        "compute": counts.instructions * FLOPS_PER_INSTRUCTION / ceilings.matmul["float32"],
        "launch": counts.launches * ceilings.launch,
        "synchronisation": counts.waits * ceilings.synchronize + counts.chain * ceilings.atomic,
    }
