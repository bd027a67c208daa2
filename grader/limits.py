"""What an exercise may ask of its kernels' static costs: the [static] table of exercise.toml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Limit:
    """One key of [static]: what it holds, and what to try where a kernel breaks it."""

    figure: str
    remedy: str


LIMITS: Mapping[str, Limit] = {
    "max_registers": Limit("{} registers per thread", "keep fewer values at once, or set __launch_bounds__"),
    "max_spill": Limit(
        "{} bytes of registers spilled to local memory",
        "a smaller tile per thread, less unrolling or a looser __launch_bounds__",
    ),
    "max_stack": Limit(
        "{} bytes of stack per thread",
        "index local arrays with constants (unrolled loops), so that they are registers",
    ),
    "max_shared": Limit("{} bytes of shared memory per block", "use a smaller tile, or reuse one that is done with"),
    "min_occupancy": Limit("{} % of the warps that fit", "use less of what limits it, or another block size"),
}


def figure(build: Mapping[str, Any], key: str) -> float | None:
    """What `key` limits, of one kernel's record in the report (`build`); None where it is not known."""
    if "registers" not in build:
        return None
    if key == "max_spill":
        return float(build["spill_stores"] + build["spill_loads"])
    if key == "max_shared":
        return float(build["shared"] + build.get("dynamic_shared", 0))
    value = build.get(key.partition("_")[2])
    return None if value is None else float(value)


def costs(build: Mapping[str, Any]) -> str:
    """What the compiler says: "sm_90: 32 registers, 0 bytes spilled, ...; occupancy 100 %, limited by threads"."""
    spilled = build["spill_stores"] + build["spill_loads"]
    shared = build["shared"] + build.get("dynamic_shared", 0)
    text = (
        f"{build['target']}: {build['registers']} registers, {spilled} bytes spilled, {build['stack']} bytes of stack"
    )
    text += f", {shared} bytes of shared memory"
    if "occupancy" in build:
        text += f"; occupancy {build['occupancy']:.0f} %, limited by {build['limiter']}"
    return text


def violation(limits: Mapping[str, float], builds: Iterable[Mapping[str, Any]]) -> str | None:
    """The sentence about the first kernel that breaks a limit, or None."""
    for build in builds:
        for key, limit in limits.items():
            value = figure(build, key)
            if value is not None and (value < limit if key.startswith("min") else value > limit):
                return _sentence(build, key, value, limit)
    return None


def known(limits: Mapping[str, float], builds: Iterable[Mapping[str, Any]]) -> bool:
    """Whether there are kernels, and every figure that is limited is known of each: only then is "passed" said."""
    every = list(builds)
    return bool(every) and all(figure(build, key) is not None for build in every for key in limits)


def _sentence(build: Mapping[str, Any], key: str, value: float, limit: float) -> str:
    bound = "at least" if key.startswith("min") else "at most"
    limiter = f", limited by {build['limiter']}" if key == "min_occupancy" else ""
    what = LIMITS[key].figure.format(f"{value:g}")
    return (
        f"{build['kernel']}: {what} on {build['target']}{limiter}; this exercise allows {bound} {limit:g}: "
        f"{LIMITS[key].remedy}"
    )
