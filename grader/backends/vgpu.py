"""No GPU: kernels of both tracks run on the virtual GPU (grader/vgpu)."""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from grader.backends import ENVIRONMENT, Launcher, Program

if TYPE_CHECKING:
    import torch

    from grader.vgpu import Report

name = "vgpu"
torch_device = "cpu"

TARGET = "sm_90"
"""What kernels are compiled for where the compiler's own report is concerned."""

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
        "target": TARGET,
    }


def environment() -> Mapping[str, str]:
    return {ENVIRONMENT: name}


def cannot() -> tuple[type[Exception], ...]:
    from grader.vgpu import Unsupported

    return (Unsupported,)


def start() -> None:
    """From now on Triton compiles to PTX for the virtual GPU and launches there."""
    from grader.vgpu import triton_driver

    _triton.enter_context(triton_driver.active(lambda kernel, report: _keep(report)))


def missing(needs: Sequence[str]) -> str | None:
    """Compute capabilities are the compiler's affair; only several GPUs cannot be had."""
    for need in needs:
        if need.startswith("gpus"):
            return f"needs {need}; there is no GPU here"
    return None


def arch() -> str:
    return TARGET


def load(program: Program) -> Launcher:
    """Load a kernel's PTX into the virtual GPU."""
    from grader.vgpu import Module

    kernel = Module(program.compile_for(PTX_TARGET).decode()).kernel(program.entry)

    def launch(
        grid: tuple[int, int, int], block: tuple[int, int, int], args: Sequence[Any], smem: int, stream: Any
    ) -> None:
        _keep(kernel.launch(grid, block, args, smem, names=program.parameters))

    return launch


def attach(handle: str, size: int) -> torch.Tensor:
    raise NotImplementedError("there is no device memory here")


def stopwatch() -> None:
    """The virtual GPU counts; no time is ever claimed."""


def synchronize() -> None:
    """Everything here is finished when it returns."""


def take_findings() -> list[dict[str, Any]]:
    taken = list(_findings.values())[:MAX_FINDINGS]
    _findings.clear()
    return taken


def _keep(report: Report) -> None:
    """Show what the kernel printed and remember its findings."""
    print(report.printed, end="")
    for finding in report.findings:
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
