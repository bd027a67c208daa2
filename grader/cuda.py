"""The host side of the CUDA track: compile a .cu file, launch its kernels on torch tensors.

    from grader.cuda import cdiv, load

    add = load("cuda_kernel.cu", "add")

    def solve(a, b, out, n):
        add[cdiv(n, 256), 256](a, b, out, n)

`add[grid, block](...)` is CUDA's `add<<<grid, block>>>(...)`.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from functools import cache, partial
from math import prod
from pathlib import Path
from typing import Any

import torch

from grader import backends
from grader.guard import guard
from grader.launched import Launched, counted
from grader.parameters import Parameter, parse_signature
from grader.recorder import recorder
from grader.vgpu import nvrtc
from grader.vgpu.cudasource import explain, parameter_names
from grader.vgpu.launch import empty_grid
from grader.vgpu.resources import parse_resources

Dim = int | tuple[int, ...]

MAX_THREADS = 1024
MAX_GRID = (2**31 - 1, 65535, 65535)
MAX_BLOCK = (1024, 1024, 64)
"""Limits of every compute capability since 5.0 (CUDA C++ Programming Guide, "Technical Specifications")."""


class BuildError(Exception):
    """A kernel does not compile or is not there; the message is for the learner."""


class LaunchError(Exception):
    """A launch was asked for that CUDA would refuse or misread; the message is for the learner."""


builds: list[dict[str, Any]] = []
"""What each load() of this process compiled: kernel, file, target, macros, registers, spills, shared memory."""


def cdiv(a: int, b: int) -> int:
    """a / b rounded up: how many blocks of b cover a."""
    return -(-a // b)


def sm_count() -> int:
    """How many streaming multiprocessors there are: grid-stride loops size their grid by it (4 without a GPU)."""
    device = backends.current().torch_device
    return int(torch.cuda.get_device_properties(0).multi_processor_count) if device == "cuda" else 4


def synchronize() -> None:
    """Wait until all that was launched is done: cudaDeviceSynchronize()."""
    recorder.waits += 1
    backends.current().synchronize()


def load(file: str, kernel: str, **defines: object) -> Kernel:
    """Compile `file` (beside the caller's own) for this machine's GPU and return its kernel called `kernel`.

    `kernel` may be an instance of a template: "scale<float, 4>". Each of `defines` is a macro in the source.
    Raises BuildError with the compiler's message.
    """
    path = Path(sys._getframe(1).f_globals.get("__file__", ".")).parent / file
    source = _read(path)
    backend = backends.current()
    compile_for = partial(
        nvrtc.compile,
        source + _SIGNATURE % kernel,
        name=path.name,
        expressions=[kernel],
        defines=defines,
        options=[f"--include-path={path.parent}"],
    )
    try:
        compiled = compile_for(arch=backend.arch())
    except nvrtc.NvrtcMissing as error:
        raise backends.GraderError(str(error)) from None
    except nvrtc.CompileError as error:
        raise BuildError(explain(str(error), source, path.name, kernel, _GRADERS_LINES)) from None
    entry = compiled.lowered[kernel]
    costs = parse_resources(compiled.log).get(entry)
    macros = {name: str(value) for name, value in defines.items()}
    build = {"kernel": kernel, "file": path.name, "target": backend.arch(), "defines": macros}
    build |= asdict(costs) if costs else {}
    builds.append(build)
    names = parameter_names(source, kernel)
    parameters = parse_signature(compiled.image, names)
    program = backends.Program(
        compiled.image,
        entry,
        names,
        lambda arch: compile_for(arch=arch).image,
        kernel,
        costs,
    )
    return Kernel(build, parameters, backend.load(program), backend.torch_device)


class Kernel:
    """A compiled kernel; `kernel[grid, block]` is ready to be called with its arguments."""

    def __init__(
        self, build: dict[str, Any], parameters: tuple[Parameter, ...], launcher: backends.Launcher, device: str
    ) -> None:
        self.name, self.build = str(build["kernel"]), build
        self.parameters, self._launcher, self._device = parameters, launcher, device

    def __getitem__(self, shape: tuple[Dim, Dim]) -> Launch:
        if not isinstance(shape, tuple) or len(shape) != 2:
            raise LaunchError(f"{self.name}[...] takes two things: {self.name}[grid, block](arguments)")
        grid = _dim3(self.name, "grid", shape[0], MAX_GRID)
        block = _dim3(self.name, "block", shape[1], MAX_BLOCK)
        threads = block[0] * block[1] * block[2]
        if threads > MAX_THREADS:
            raise LaunchError(f"{self.name}: a block of {block} has {threads} threads; {MAX_THREADS} is the most")
        return Launch(self, grid, block)

    def __call__(self, *args: object, **kwargs: object) -> None:
        raise LaunchError(f"{self.name}(...) has no grid and block; a launch is {self.name}[grid, block](...)")


class Launch:
    """A kernel with its grid and block, waiting for arguments."""

    def __init__(self, kernel: Kernel, grid: tuple[int, int, int], block: tuple[int, int, int]) -> None:
        self.kernel, self.grid, self.block = kernel, grid, block

    def __call__(self, *args: Any, smem: int = 0, stream: Any = None) -> None:
        """Launch on torch's current stream, or on `stream`, with `smem` bytes of dynamic shared memory.

        Raises LaunchError where the arguments do not fit the kernel's parameters.
        """
        kernel = self.kernel
        if len(args) != len(kernel.parameters):
            wanted = ", ".join(map(str, kernel.parameters))
            raise LaunchError(
                f"{kernel.name} takes {counted(len(kernel.parameters), 'argument')} ({wanted}); got {len(args)}"
            )
        # The guard's look at every attribute of every tensor would cost more than the launch itself.
        with guard.launching(), torch._C.DisableTorchFunction():
            converted: list[Any] = []
            try:
                for parameter, value in zip(kernel.parameters, args, strict=True):
                    converted.append(parameter.convert(value, kernel._device))
            except (TypeError, ValueError, OverflowError) as error:
                number, refused = len(converted) + 1, kernel.parameters[len(converted)]
                raise LaunchError(f"{kernel.name}: argument {number} (`{refused}`): {error}") from None
            kernel._launcher(self.grid, self.block, converted, smem, stream)
            if len(recorder.shapes) < 2:
                recorder.shapes.append(Launched(prod(self.grid), prod(self.block), grid=self.grid))
            if recorder.active:
                recorder.launched(id(kernel.build), kernel.build, self.grid, self.block, smem)


@cache
def _dim3(name: str, what: str, value: Dim, limits: tuple[int, ...]) -> tuple[int, int, int]:
    sizes = value if isinstance(value, tuple) else (value,)
    if not 1 <= len(sizes) <= 3 or not all(isinstance(size, int) and not isinstance(size, bool) for size in sizes):
        raise LaunchError(f"{name}: {what} is {value!r}; it is a whole number or a tuple of up to three")
    full = (*sizes, 1, 1)[:3]
    if what == "grid" and 0 in full:
        raise LaunchError(f"{name}: {empty_grid(value)}")
    for axis, size, limit in zip("xyz", full, limits, strict=True):
        if not 1 <= size <= limit:
            raise LaunchError(f"{name}: {what} is {value!r}; its {axis} must be between 1 and {limit}")
    return full[0], full[1], full[2]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BuildError(f"{path.name}: no such file beside the launch code") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BuildError(f"{path.name}:{line}: not UTF-8; save the file as UTF-8") from None


_GRADERS_LINES = "kernel-ladder signature"

_SIGNATURE = f"""
#line 1 "{_GRADERS_LINES}"
template <typename F> __device__ const char* kernel_ladder_signature() {{ return __PRETTY_FUNCTION__; }}
extern "C" __global__ void kernel_ladder_tell(const char** out) {{
    *out = kernel_ladder_signature<decltype(%s)>();
}}
"""
"""Appended to every source: it makes the compiler write the kernel's parameter types into the image."""

__all__ = ["BuildError", "Kernel", "Launch", "LaunchError", "builds", "cdiv", "load", "sm_count", "synchronize"]
