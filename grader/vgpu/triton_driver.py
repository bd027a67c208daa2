"""Runs Triton kernels on the virtual GPU: `kernel[grid](...)` works on CPU tensors while the driver is active.

Triton compiles for sm_80 up to PTX; its last stage, ptxas, is replaced by the PTX text itself, and compiled kernels
are cached in a folder of their own so that no real GPU's cache ever holds them. Works with Triton 3.6 and 3.7.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import triton
from triton import knobs
from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase
from triton.runtime.driver import driver as _registry

from grader.vgpu.halfmath import bf16_encode
from grader.vgpu.initialised import InitialisedMap
from grader.vgpu.launch import DEFAULT_BUDGET, MAX_SHARED, Report
from grader.vgpu.module import Kernel, Module

_DEVICE = "virtual"  # Triton keeps compiled kernels by device: this key is no real device's
_TARGET = GPUTarget("cuda", 80, 32)
OnReport = Callable[[Kernel, Report], None]
_FLOATS: dict[str, type[np.generic]] = {"fp16": np.float16, "fp32": np.float32, "f32": np.float32, "fp64": np.float64}


class VirtualDriver(DriverBase):  # type: ignore[misc]
    """Triton's view of the virtual GPU. `on_report` is called with (Kernel, Report) after each launch; `profile`
    is asked before each whether to count."""

    def __init__(
        self,
        on_report: OnReport,
        *,
        seed: int = 0,
        profile: Callable[[], bool] = bool,
        budget: int = DEFAULT_BUDGET,
        initialised: InitialisedMap | None = None,
    ) -> None:
        super().__init__()
        self.utils = _Utils()
        self.launcher_cls = self._launcher
        self.on_report = on_report
        self.profile = profile
        self.options: dict[str, Any] = {"seed": seed, "budget": budget, "initialised": initialised}

    def _launcher(self, source: Any, metadata: Any) -> Callable[..., None]:
        return _Launcher(source, metadata, self)

    @classmethod
    def is_active(cls) -> bool:
        return isinstance(_registry.active, cls)

    def map_python_to_cpp_type(self, ty: str) -> str:
        raise NotImplementedError("the virtual GPU needs no C++ launcher")

    def get_current_target(self) -> GPUTarget:
        return _TARGET

    def get_current_device(self) -> str:
        return _DEVICE

    def set_current_device(self, device: object) -> None:
        """There is only one."""

    def get_current_stream(self, device: object) -> int:
        return 0

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cpu")

    def get_benchmarker(self) -> Callable[..., list[float]]:
        """Nothing is timed here, so every configuration of an autotuner is as fast as the first, which then wins."""
        return lambda kernel_call, quantiles=(), **_: [1.0] * max(len(quantiles), 1)


class _Utils:
    """What Triton asks a driver's utilities for when it loads a kernel."""

    def get_device_properties(self, device: object) -> dict[str, int]:
        return {"max_shared_mem": MAX_SHARED, "multiprocessor_count": 108, "warpSize": 32, "max_num_regs": 65536}

    def load_binary(self, name: str, image: bytes, shared: int, device: object) -> tuple[Any, Kernel, int, int, int]:
        """(module, kernel, registers, spills, most threads); the image is PTX. Raises Unsupported."""
        module = Module(image.decode())
        return module, module.kernel(name), 0, 0, 1024


class _Launcher:
    """Launches one compiled kernel: Triton's arguments to the kernel's parameters."""

    def __init__(self, source: Any, metadata: Any, driver: VirtualDriver) -> None:
        self._names: Sequence[str] = list(source.signature)
        self._types = list(source.signature.values())
        self._metadata = metadata
        self._driver = driver

    def __call__(self, x: int, y: int, z: int, stream: object, kernel: Kernel, *arguments: Any) -> None:
        _, launch_metadata, enter, leave, *values = arguments
        names, args = self._arguments(values)
        scratch = self._metadata.global_scratch_size * x * y * z
        extra: list[Any] = [np.zeros(scratch, np.uint8) if scratch else None]
        extra += [None] * (len(kernel.params) - len(args) - 1)
        if enter is not None:
            enter(launch_metadata)
        report = kernel.launch(
            (x, y, z),
            self._metadata.num_warps * 32,
            (*args, *extra[: len(kernel.params) - len(args)]),
            smem=self._metadata.shared,
            names=names,
            block_in_order=True,
            profile=self._driver.profile(),
            **self._driver.options,
        )
        if leave is not None:
            leave(launch_metadata)
        self._driver.on_report(kernel, report)

    def _arguments(self, values: Sequence[Any]) -> tuple[list[str], list[Any]]:
        names: list[str] = []
        args: list[Any] = []
        for name, type_, value in zip(self._names, self._types, values, strict=True):
            for converted in _flatten(type_, value):
                names.append(name)
                args.append(converted)
        return names, args


def _flatten(type_: Any, value: Any) -> Iterator[Any]:
    """The kernel arguments that one argument of a Triton call stands for: none if it is a constant."""
    if isinstance(type_, tuple):
        for inner_type, inner in zip(type_, value, strict=True):
            yield from _flatten(inner_type, inner)
    elif type_ == "constexpr":
        return
    elif type_.startswith("tensordesc"):
        yield value.base
        sizes = [np.int64(n) for n in (*value.shape, *value.strides)]
        yield from sizes
        yield np.int8(value.padding == "nan")
        if hasattr(value, "round_f32_to_tf32"):
            yield np.int8(value.round_f32_to_tf32)
        yield from (np.int32(n) for n in value.shape)
        yield from (np.int64(n) for n in value.strides)
    elif type_[0] == "*":
        yield value
    elif type_ == "bf16":
        yield bf16_encode(np.float32(value)).astype(np.uint16)[()]
    elif type_ in _FLOATS:
        yield _FLOATS[type_](value)
    else:
        yield int(value)


def _stop_at_ptx(*arguments: Any) -> tuple[str, str]:
    """Triton's pipeline hook: called with (backend, stages, ...) to change stages, without any for a key."""
    if arguments:
        stages = arguments[1]
        stages["cubin"] = lambda ptx, metadata: ptx.encode()
    return "virtual-gpu", "virtual-gpu"


@contextmanager
def active(on_report: OnReport, **options: Any) -> Iterator[VirtualDriver]:
    """Within this context, Triton kernels run on the virtual GPU; `options` are those of VirtualDriver."""
    previous = _registry._active
    hook, folder = knobs.runtime.add_stages_inspection_hook, knobs.cache.dir
    virtual = VirtualDriver(on_report, **options)
    _registry.set_active(virtual)
    knobs.runtime.add_stages_inspection_hook = _stop_at_ptx
    knobs.cache.dir = os.path.join(folder, "virtual-gpu", triton.__version__)
    try:
        yield virtual
    finally:
        _registry._active = previous
        knobs.runtime.add_stages_inspection_hook = hook
        knobs.cache.dir = folder
