"""No GPU: kernels are compiled by the real compilers; Triton's run in its interpreter, CUDA's cannot run yet."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from typing import Any

from grader.backends import ENVIRONMENT, Launcher, Unverified

name = "vgpu"
torch_device = "cpu"

TARGET = "sm_90"


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


def load(cubin: bytes, name: str) -> Launcher:
    def launch(
        grid: tuple[int, int, int], block: tuple[int, int, int], args: Sequence[Any], smem: int, stream: Any
    ) -> None:
        raise Unverified("it compiles; running it needs a GPU")

    return launch


def synchronize() -> None:
    """Everything here is finished when it returns."""
