"""Device memory that two processes share: what the judge writes there a worker's kernels read, without a copy.

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


def attach(handle: str, size: int) -> torch.Tensor:
    """The memory behind another process's handle, as uint8. Raises NotShared."""
    runtime = cupy.cuda.runtime
    try:
        return _as_tensor(runtime.ipcOpenMemHandle(bytes.fromhex(handle)), size)
    except runtime.CUDARuntimeError as error:
        raise NotShared(str(error)) from None


def _as_tensor(pointer: int, size: int) -> torch.Tensor:
    memory: Any = cupy.cuda.UnownedMemory(pointer, size, owner=None)
    array = cupy.ndarray((size,), dtype=cupy.uint8, memptr=cupy.cuda.MemoryPointer(memory, 0))
    return torch.as_tensor(array, device="cuda")
