"""No GPU: CUDA kernels run on the virtual GPU (grader/vgpu), Triton's in its interpreter."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from typing import Any

from grader.backends import ENVIRONMENT, Launcher, Program, Unverified
from grader.vgpu import Module, Unsupported

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
    quiet = "ignore::RuntimeWarning"  # the interpreter computes with NumPy, which warns of every NaN
    return {ENVIRONMENT: name, "TRITON_INTERPRET": "1", "PYTHONWARNINGS": quiet}


def missing(needs: Sequence[str]) -> str | None:
    """Compute capabilities are the compiler's affair; only several GPUs cannot be had."""
    for need in needs:
        if need.startswith("gpus"):
            return f"needs {need}; there is no GPU here"
    return None


def cannot_run(track: str, dtype: str) -> str | None:
    if track == "triton" and dtype == "bfloat16":
        return "bfloat16 is not checked without a GPU: Triton's interpreter is wrong in it"
    return None


def arch() -> str:
    return TARGET


def load(program: Program) -> Launcher:
    """Load a kernel's PTX into the virtual GPU. Raises Unverified for what it cannot run."""
    try:
        kernel = Module(program.compile_for(PTX_TARGET).decode()).kernel(program.entry)
    except Unsupported as error:
        raise Unverified(str(error).replace(f"{os.getcwd()}/", "")) from None

    def launch(
        grid: tuple[int, int, int], block: tuple[int, int, int], args: Sequence[Any], smem: int, stream: Any
    ) -> None:
        report = kernel.launch(grid, block, args, smem, names=program.parameters)
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

    return launch


def synchronize() -> None:
    """Everything here is finished when it returns."""


def take_findings() -> list[dict[str, Any]]:
    taken = list(_findings.values())[:MAX_FINDINGS]
    _findings.clear()
    return taken


_findings: dict[tuple[str, str, int], dict[str, Any]] = {}
"""By kind and line: a kernel that is launched often is told once."""
