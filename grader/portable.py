"""Whether CUDA kernels compile for every GPU that the exercise is meant for, by NVRTC, without running anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.vgpu import nvrtc

ARCHS = (75, 80, 86, 89, 90)
"""Compute capabilities from Turing (the oldest that CUDA 13 compiles for) to Hopper, one of each generation."""


def targets(needs: Sequence[str]) -> list[str]:
    """What to compile for: ["sm_75", ...] from the least that `needs` allow, as far as this NVRTC can. Where 9.0 or
    more is needed, the `a` variant, which a GPU's kernels are compiled for as well.
    """
    least = max((int(need[3:]) for need in needs if need.startswith("sm_")), default=0)
    numbers = [number for number in ARCHS if number >= least] or [least]
    known = nvrtc.supported_archs()
    return [f"sm_{number}{'a' if least >= 90 else ''}" for number in numbers if number in known]


def compile_faults(folder: Path, builds: Iterable[Mapping[str, Any]], archs: Sequence[str]) -> list[str]:
    """A sentence for each kernel of `builds` (what loading the code in `folder` compiled) that an architecture of
    `archs` does not compile, and for each .cu file there of which no kernel was loaded.
    """
    faults: list[str] = []
    rows = list(builds)
    for build in rows:
        path = folder / str(build["file"])
        for arch in archs:
            try:
                nvrtc.compile(
                    path.read_text(encoding="utf-8"),
                    name=path.name,
                    arch=arch,
                    expressions=[str(build["kernel"])],
                    defines=build["defines"],
                    options=[f"--include-path={folder}"],
                )
            except nvrtc.CompileError as error:
                faults.append(f"{build['kernel']} does not compile for {arch}: {_first(str(error))}")
                break  # what an older one lacks, the next may lack, too; one is enough to mend
    loaded = {str(build["file"]) for build in rows}
    unused = sorted(path.name for path in folder.glob("*.cu") if path.name not in loaded)
    return faults + [f"{name}: no kernel of it is loaded" for name in unused]


def _first(log: str) -> str:
    """The first error of a compiler's log."""
    lines = log.splitlines()
    return next((line for line in lines if "error" in line), lines[0] if lines else "")
