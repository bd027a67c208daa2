"""Where kernels run. A backend is one file here that answers the questions of the protocol below."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from grader.outcome import GraderError

if TYPE_CHECKING:
    import torch

    from grader.meter import Allocator
    from grader.stopwatch import Stopwatch
    from grader.vgpu.resources import Resources

ENVIRONMENT = "KERNEL_LADDER_BACKEND"
"""The variable by which the grader tells its workers which backend to use."""

NAMES = ("gpu", "vgpu")


@dataclass(frozen=True)
class Program:
    """A compiled kernel to load: its cubin for the backend's own target, and the way to other images of the source.

    `entry` is the kernel's mangled name, `name` the one that the learner knows, `parameters` are the names that its
    source gives them, `costs` what ptxas says of it.
    """

    cubin: bytes
    entry: str
    parameters: tuple[str, ...]
    compile_for: Callable[[str], bytes]
    name: str = ""
    costs: Resources | None = None


class Launcher(Protocol):
    """A loaded kernel. `args` are tensors (for pointers) and NumPy scalars of the parameters' exact types."""

    def __call__(
        self,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        args: Sequence[Any],
        smem: int,
        stream: Any,
    ) -> None: ...


class Backend(Protocol):
    """What the grader needs to know of a place where kernels run."""

    name: str
    torch_device: str

    def cannot(self) -> tuple[type[Exception], ...]:
        """The exceptions by which a launch says that it cannot be run here, as opposed to being wrong."""

    def missing(self, needs: Sequence[str]) -> str | None:
        """The sentence that says which of `needs` is not met here, or None."""

    def describe(self) -> dict[str, Any]:
        """The device and the versions below it, for the report. Raises GraderError if it cannot be used."""

    def environment(self) -> Mapping[str, str]:
        """The environment variables that a worker needs."""

    def start(self) -> None:
        """Prepare this process, a worker, for running kernels."""

    def arch(self) -> str:
        """NVRTC's name for the target: "sm_90a"."""

    def aim(self, arch: str) -> None:
        """From now on, here and in workers, report on that target ("sm_90"). Raises ArchError."""

    def load(self, program: Program) -> Launcher:
        """Make a compiled kernel ready to be launched."""

    def attach(self, handle: str, size: int) -> torch.Tensor:
        """The device memory that another process shares under `handle`, as uint8."""

    def stopwatch(self) -> Stopwatch | None:
        """What times calls here, None where time means nothing; asked for before submitted code is loaded."""

    def allocator(self) -> Allocator | None:
        """What the device's allocators say, None where there is no other memory than what torch allocates."""

    def watching(self) -> contextlib.AbstractContextManager[Any]:
        """What a call of solve() runs in, so that what it allocates is noticed, where that tells something."""

    def synchronize(self) -> None:
        """Wait for all work on the device; raises what the work ran into."""

    def take_findings(self) -> list[dict[str, Any]]:
        """What was noticed about launches since this was last asked: kind, severity, message, remedy (strings)."""


class ArchError(Exception):
    """No such target; the message says which there are."""


def get(name: str) -> Backend:
    """The backend called `name`; "auto" is the GPU where there is one. Raises GraderError."""
    if name == "auto":
        from grader.backends import gpu

        name = "gpu" if gpu.present() else "vgpu"
    return cast(Backend, importlib.import_module(f"grader.backends.{name}"))


def current() -> Backend:
    """The backend of this process: what the grader chose, or what the machine has."""
    return get(os.environ.get(ENVIRONMENT, "auto"))


__all__ = ["ENVIRONMENT", "NAMES", "ArchError", "Backend", "GraderError", "Launcher", "Program", "current", "get"]
