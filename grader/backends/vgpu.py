"""No GPU: kernels of both tracks run on the virtual GPU (grader/vgpu)."""

from __future__ import annotations

import contextlib
import os
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any

from grader.backends import ENVIRONMENT, ArchError, Launcher, Program

if TYPE_CHECKING:
    import torch

    from grader.vgpu import Finding, InitialisedMap, Kernel, Report
    from grader.vgpu.profile import LaunchProfile
    from grader.vgpu.ptx import Location
    from grader.vgpu.resources import Resources

name = "vgpu"
torch_device = "cpu"

TARGET = "KERNEL_LADDER_TARGET"
"""The variable that names the GPU whose registers and occupancy are reported: "sm_90" if it is not set."""

PTX_TARGET = "compute_80"
"""What the virtual GPU executes."""

MAX_FINDINGS = 10


def describe() -> dict[str, Any]:
    import torch
    import triton

    from grader.vgpu import nvrtc

    return {
        "backend": name,
        "name": f"no GPU ({platform.processor() or platform.machine()})",
        "torch": torch.__version__,
        "triton": triton.__version__,
        "nvrtc": ".".join(map(str, nvrtc.version())),
        "target": arch(),
    }


def environment() -> Mapping[str, str]:
    return {ENVIRONMENT: name, TARGET: arch()}


def cannot() -> tuple[type[Exception], ...]:
    from grader.vgpu import Unsupported

    return (Unsupported,)


def start() -> None:
    """From now on Triton compiles to PTX for the virtual GPU and launches there."""
    from grader.recorder import recorder
    from grader.vgpu import triton_driver

    driver = triton_driver.active(_keep_triton, profile=lambda: recorder.active, initialised=_unwritten())
    _triton.enter_context(driver)


def missing(needs: Sequence[str]) -> str | None:
    """Several GPUs cannot be had; what a compute capability is needed for, the compiler must know."""
    for need in needs:
        if need.startswith("gpus"):
            return f"needs {need}; there is no GPU here"
        if need.startswith("sm_") and _number(need) > _number(arch()):
            return f"needs {need}, and kernels are compiled for {arch()}: try --arch {need}"
    return None


def arch() -> str:
    return os.environ.get(TARGET, "sm_90")


def aim(arch: str) -> None:
    from grader.vgpu import nvrtc

    known = nvrtc.supported_archs()
    found = re.fullmatch(r"sm_(\d+)([af]?)", arch)
    if found is None or int(found[1]) not in known or (found[2] and int(found[1]) < 90):
        version = ".".join(map(str, nvrtc.version()))
        raise ArchError(
            f"--arch {arch}: NVRTC {version} compiles for {', '.join(f'sm_{number}' for number in known)}"
        )
    os.environ[TARGET] = arch


def _number(arch: str) -> int:
    return int("".join(filter(str.isdigit, arch)))


def load(program: Program) -> Launcher:
    """Load a kernel's PTX into the virtual GPU, when it is first launched: few of a template's instances ever are."""
    from grader.recorder import recorder
    from grader.vgpu import Module, Unsupported
    from grader.vgpu.nvrtc import CompileError

    @cache
    def loaded() -> Kernel:
        try:
            ptx = program.compile_for(PTX_TARGET)
        except CompileError as error:  # the same source did compile for the GPU that is aimed at
            raise Unsupported(f"what {PTX_TARGET} does not have", str(error).partition("\n")[0]) from None
        return Module(ptx.decode()).kernel(program.entry)

    def launch(
        grid: tuple[int, int, int], block: tuple[int, int, int], args: Sequence[Any], smem: int, stream: Any
    ) -> None:
        kernel = loaded()
        told: dict[str, Any] = {"names": program.parameters, "initialised": _unwritten()}
        report = kernel.launch(grid, block, args, smem, profile=recorder.active, **told)
        _keep(report)
        if report.profile is not None:
            _count(program.name, kernel.place, program.costs, report.profile)

    return launch


def attach(handle: str, size: int) -> torch.Tensor:
    raise NotImplementedError("there is no device memory here")


def stopwatch() -> None:
    """The virtual GPU counts; no time is ever claimed."""


def allocator() -> None:
    """Kernels here read and write the host's memory, and only torch's tensors."""


def watching() -> contextlib.AbstractContextManager[Any]:
    from grader.vgpu.allocations import Allocations

    return Allocations(_unwritten())


def synchronize() -> None:
    """Everything here is finished when it returns."""


def take_findings() -> list[dict[str, Any]]:
    taken = list(_findings.values())[:MAX_FINDINGS]
    _findings.clear()
    return taken


def _keep_triton(kernel: Kernel, report: Report) -> None:
    """What a launch by Triton came to; its costs are ptxas' affair, which is asked only when somebody wants them."""
    _keep(report)
    if report.profile is None:
        return
    from grader.recorder import recorder
    from grader.vgpu.ptxas import resources_of

    costs = resources_of(kernel.ptx, kernel.name, arch())
    build = {"kernel": kernel.name, "file": os.path.basename(kernel.place.file), "target": arch()}
    dynamic = report.profile.shared - costs.shared if costs else 0
    build |= asdict(costs) if costs else {}
    recorder.launched(kernel, build, report.profile.grid, report.profile.block, dynamic)
    _count(kernel.name, kernel.place, costs, report.profile)


@cache
def _unwritten() -> InitialisedMap:
    """Of the room that calls of solve() have allocated and not given back."""
    from grader.vgpu import InitialisedMap

    return InitialisedMap()


def _count(kernel: str, place: Location, costs: Resources | None, profile: LaunchProfile) -> None:
    """Hand a launch's counts on, with what its costs suggest."""
    from grader.recorder import recorder
    from grader.vgpu.advice import advise_statically

    recorder.counted(kernel, profile)
    if costs is not None:
        _remember(advise_statically(kernel, place, costs, arch(), profile))


def _keep(report: Report) -> None:
    """Show what the kernel printed and remember its findings."""
    print(report.printed, end="")
    _remember(report.findings)


def _remember(findings: Iterable[Finding]) -> None:
    for finding in findings:
        _findings.setdefault(
            (finding.kind, finding.file, finding.line),
            {
                "kind": finding.kind,
                "severity": finding.severity,
                "message": finding.message.replace(f"{os.path.dirname(finding.file)}/", ""),
                "remedy": finding.remedy,
            },
        )


_findings: dict[tuple[str, str, int], dict[str, Any]] = {}
"""By kind and line: a kernel that is launched often is told once."""

_triton = contextlib.ExitStack()
"""Holds the driver that `start` puts in place, for the life of the process."""
