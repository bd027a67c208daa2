"""A solved kernel as the report has it: the attempt that counts, how much it computes for each byte, how fast."""

from __future__ import annotations

from dataclasses import dataclass

from grader.attempt import Attempt
from grader.exercise import Exercise


@dataclass(frozen=True)
class Kernel:
    """A solved kernel: the attempt that counts, and what to call it."""

    exercise: Exercise
    attempt: Attempt

    @property
    def name(self) -> str:
        return f"{self.exercise.slug}, {self.attempt.track}"

    @property
    def measured(self) -> bool:
        return bool(self.attempt.seconds and self.attempt.bandwidth)

    @property
    def intensity(self) -> float | None:
        """Flops for each byte; None where they are not known."""
        one = self.attempt
        return one.flops / one.bytes if one.bytes and one.flops is not None else None

    @property
    def reached(self) -> str:
        """What was measured: "3905 GB/s, 51.2 GFLOP/s"; "" where nothing was."""
        one = self.attempt
        if not self.measured or not one.seconds:
            return ""
        work = ((one.bytes, "B/s"), (one.flops, "FLOP/s"))
        return ", ".join(unit(amount / one.seconds, name) for amount, name in work if amount)

    @property
    def how(self) -> str:
        return f"measured on {self.attempt.device}" if self.measured else "counted on the virtual GPU, not timed"


def unit(value: float, name: str) -> str:
    """ "51.2 TFLOP/s" """
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:.3g} {prefix}{name}"
    return f"{value:.3g} {name}".rstrip()
