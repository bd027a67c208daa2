"""Device memory that two processes share: what the judge writes there the worker copies, at the device's own speed.

CUDA's own interprocess handles ("Interprocess Communication" in the CUDA C++ Programming Guide). Where a platform
has none (WSL), `share` says so and callers fall back on host memory.
"""

from __future__ import annotations

import contextlib
from typing import Any

import cupy
import torch


class NotShared(Exception):
    """This platform does not share device memory between processes."""


class DeviceMemory:
    """`size` bytes on the GPU. `handle` opens them in another process; `tensor` is all of them as uint8.

    Raises torch.OutOfMemoryError, NotShared.
    """

    def __init__(self, size: int) -> None:
        runtime = cupy.cuda.runtime
        torch.cuda.empty_cache()
        try:
            self._pointer = runtime.malloc(size)
        except runtime.CUDARuntimeError as error:
            raise torch.OutOfMemoryError(f"no {size} bytes left on the GPU: {error}") from None
        try:
            self.handle = runtime.ipcGetMemHandle(self._pointer).hex()
        except runtime.CUDARuntimeError as error:
            runtime.free(self._pointer)
            raise NotShared(str(error)) from None
        self.tensor = _as_tensor(self._pointer, size)

    def close(self) -> None:
        """Give the memory back; nothing may use `tensor` any more."""
        del self.tensor
        with contextlib.suppress(cupy.cuda.runtime.CUDARuntimeError):
            cupy.cuda.runtime.free(self._pointer)


class Statistics:
    """What torch's and CuPy's allocators say of this process, in bytes: meter.Allocator. CuPy's pool does not tell
    how much it held at once, but it grows for it, and does not shrink.
    """

    def held(self) -> int:
        return int(torch.cuda.memory_stats().get("requested_bytes.all.current", 0)) + self._pool()

    def most(self) -> int:
        return int(torch.cuda.memory_stats().get("requested_bytes.all.peak", 0)) + self._pool()

    def restart(self) -> None:
        torch.cuda.reset_peak_memory_stats()

    def _pool(self) -> int:
        return int(cupy.get_default_memory_pool().total_bytes())


_attached: list[int] = []


def attach(handle: str, size: int) -> torch.Tensor:
    """The memory behind another process's handle, as uint8, in the place of what was attached before: as long as this
    process held that, it could not be freed. Raises NotShared.
    """
    runtime = cupy.cuda.runtime
    try:
        while _attached:
            runtime.ipcCloseMemHandle(_attached.pop())
        _attached.append(runtime.ipcOpenMemHandle(bytes.fromhex(handle)))
        return _as_tensor(_attached[-1], size)
    except runtime.CUDARuntimeError as error:
        raise NotShared(str(error)) from None


def _as_tensor(pointer: int, size: int) -> torch.Tensor:
    memory: Any = cupy.cuda.UnownedMemory(pointer, size, owner=None)
    array = cupy.ndarray((size,), dtype=cupy.uint8, memptr=cupy.cuda.MemoryPointer(memory, 0))
    return torch.as_tensor(array, device="cuda")
