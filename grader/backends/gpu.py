"""The NVIDIA GPU of this machine: NVRTC's cubins loaded by CuPy, Triton as it is."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from grader.backends import ENVIRONMENT, ArchError, Launcher, Program
from grader.outcome import GraderError
from grader.vgpu.errors import LaunchError

if TYPE_CHECKING:
    import torch

    from grader.meter import Allocator
    from grader.stopwatch import Stopwatch

name = "gpu"
torch_device = "cuda"

MAX_SHARED_OPTIN = 97  # cudaDevAttrMaxSharedMemoryPerBlockOptin, <driver_types.h>

CUDA_12 = "README.md, 'Older drivers', has the line that installs the CUDA 12 builds"


def present() -> bool:
    """Whether this machine has an NVIDIA driver and a GPU, whatever torch makes of them."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int()
    return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0


def describe() -> dict[str, Any]:
    """Name, capability and versions. Raises GraderError with the remedy if torch cannot use the GPU."""
    import cupy
    import torch
    import triton

    from grader.vgpu import nvrtc

    _check_stack()
    properties = torch.cuda.get_device_properties(0)
    return {
        "backend": name,
        "name": properties.name,
        "capability": f"{properties.major}.{properties.minor}",
        "sms": properties.multi_processor_count,
        "memory_bytes": properties.total_memory,
        "l2_bytes": properties.L2_cache_size,
        "driver_cuda": _dotted(driver_version()),
        "torch": torch.__version__,
        "torch_cuda": torch.version.cuda,
        "triton": triton.__version__,
        "cupy": cupy.__version__,
        "nvrtc": ".".join(map(str, nvrtc.version())),
    }


def environment() -> Mapping[str, str]:
    return {ENVIRONMENT: name}


def cannot() -> tuple[type[Exception], ...]:
    return ()


def start() -> None:
    """Nothing to prepare: CUDA starts with the first tensor."""


def missing(needs: Sequence[str]) -> str | None:
    """Needs are "sm_89" (at least that capability) and "gpus>=2"."""
    import torch

    major, minor = torch.cuda.get_device_capability()
    for need in needs:
        if match := re.fullmatch(r"sm_(\d+)(\d)", need):
            if (major, minor) < (int(match[1]), int(match[2])):
                return f"needs a GPU of compute capability {match[1]}.{match[2]}; this one has {major}.{minor}"
        elif match := re.fullmatch(r"gpus>=(\d+)", need):
            if torch.cuda.device_count() < int(match[1]):
                return f"needs {match[1]} GPUs; this machine has {torch.cuda.device_count()}"
        else:
            return f"needs {need!r}, which this grader does not know"
    return None


@cache
def arch() -> str:
    """The exact architecture; from 9.0 on the `a` variant, whose cubin may use all that this very GPU has."""
    import torch

    from grader.vgpu import nvrtc

    major, minor = torch.cuda.get_device_capability()
    if 10 * major + minor not in nvrtc.supported_archs():
        version = ".".join(map(str, nvrtc.version()))
        raise GraderError(f"NVRTC {version} does not compile for this GPU (sm_{major}{minor}); {CUDA_12}")
    return f"sm_{major}{minor}{'a' if major >= 9 else ''}"


def free_memory() -> int:
    """Bytes of the GPU that nobody holds."""
    import torch

    return int(torch.cuda.mem_get_info()[0])


def aim(arch: str) -> None:
    raise ArchError(f"--arch {arch}: kernels are compiled for the GPU that they run on; --backend vgpu has a choice")


def load(program: Program) -> Launcher:
    """Load a cubin into torch's own context."""
    import cupy
    import numpy as np
    import torch

    module = cupy.cuda.function.Module()
    module.load(program.cubin)
    function = module.get_function(program.entry)
    driver = cupy.cuda.driver
    most = int(cupy.cuda.runtime.deviceGetAttribute(MAX_SHARED_OPTIN, torch.cuda.current_device()))
    static = int(driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function.ptr))
    # without this the driver refuses a block more than 48 KiB
    driver.funcSetAttribute(function.ptr, driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most - static)

    def launch(
        grid: tuple[int, int, int], block: tuple[int, int, int], args: Sequence[Any], smem: int, stream: Any
    ) -> None:
        if static + smem > most:
            raise LaunchError(f"{static + smem} bytes of shared memory per block, the most is {most}")
        raw = tuple([np.uint64(arg.data_ptr()) if isinstance(arg, torch.Tensor) else arg for arg in args])
        # what torch.cuda.current_stream() wraps; its wrapper costs more than the rest of the launch
        queue = stream.cuda_stream if stream else torch._C._cuda_getCurrentRawStream(torch._C._cuda_getDevice())
        function(grid, block, raw, shared_mem=smem, stream=_external(queue))

    return launch


class _Queue:
    """A stream by its address, as the CUDA stream protocol hands it over."""

    def __init__(self, address: int) -> None:
        self.address = address

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.address


@cache
def _external(address: int) -> Any:
    import cupy

    if hasattr(cupy.cuda.Stream, "from_external"):
        return cupy.cuda.Stream.from_external(_Queue(address))
    return cupy.cuda.ExternalStream(address)  # CuPy before 14.1


def attach(handle: str, size: int) -> torch.Tensor:
    from grader import devicememory

    return devicememory.attach(handle, size)


def stopwatch() -> Stopwatch:
    from grader.stopwatch import Stopwatch

    return Stopwatch()


def allocator() -> Allocator:
    from grader import devicememory

    return devicememory.Statistics()


def watching() -> contextlib.AbstractContextManager[None]:
    """The hardware does not tell what nobody has written."""
    return contextlib.nullcontext()


def synchronize() -> None:
    import torch

    torch.cuda.synchronize()


def take_findings() -> list[dict[str, Any]]:
    return []


def driver_version() -> int:
    """The newest CUDA that the driver can run, as CUDA counts: 13000 is 13.0."""
    version = ctypes.c_int()
    ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
    return version.value


def _check_stack() -> None:
    import torch

    if not present():
        raise GraderError("no NVIDIA GPU or driver on this machine; --backend vgpu needs none")
    if torch.version.cuda is None:
        raise GraderError(
            f"there is a GPU here, but torch {torch.__version__} is a build without CUDA; install one with it "
            "(pip install --force-reinstall torch), or use --backend vgpu"
        )
    wanted = int(torch.version.cuda.partition(".")[0])
    if driver_version() // 1000 < wanted:
        raise GraderError(
            f"the driver runs CUDA {_dotted(driver_version())}, but torch is built for {torch.version.cuda}: "
            f"update the driver ({CUDA_12}), or use --backend vgpu"
        )
    if not torch.cuda.is_available():
        hidden = os.environ.get("CUDA_VISIBLE_DEVICES")
        why = f"CUDA_VISIBLE_DEVICES={hidden!r} hides it" if hidden is not None else "torch cannot use it"
        raise GraderError(f"there is a GPU here, but {why}; mend that, or use --backend vgpu")


def _dotted(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"
