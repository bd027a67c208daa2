"""The tripwires around solve(): the work must happen in kernels that the submission launches.

Inside the worker, torch's dispatcher refuses compute operations, kernel launches are counted, and an audit hook
refuses forks, threads and writes to the grader's files. None of this is a jail: it catches accidents and short
cuts, and explains them. What decides the mark is checked in another process.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

_MAKE_ROOM = """
    empty empty_like empty_strided new_empty new_empty_strided zeros zeros_like new_zeros full full_like new_full
    zero_ fill_ detach lift_fresh record_stream
"""
ALLOCATIONS = frozenset(f"aten::{name}" for name in _MAKE_ROOM.split())
"""Torch operations that solve() may use besides views: they make room, or set it to a constant."""

_HAND_OVER = "__array__ __cuda_array_interface__ __dlpack__ numpy share_memory_ storage tolist untyped_storage"
ESCAPES = frozenset(_HAND_OVER.split())
"""Tensor methods that hand the data to some other library."""


class Refused(BaseException):
    """solve() did what it must not; not an Exception, so that `except Exception` cannot hide it."""


class Guard:
    """Counts launches and remembers the first refusal; `launching` marks the time inside a kernel launch."""

    def __init__(self) -> None:
        self.launches = 0
        self.refusal: str | None = None
        self._inside_launch = 0

    @contextlib.contextmanager
    def launching(self) -> Iterator[None]:
        """A kernel launch: counted, and free to use torch (compiling, autotuning, the interpreter do)."""
        self.launches += not self._inside_launch
        self._inside_launch += 1
        try:
            yield
        finally:
            self._inside_launch -= 1

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """The time in which solve() runs."""
        with _Dispatch(self), _Functions(self):
            yield

    def refuse(self, sentence: str) -> None:
        """Raise Refused, unless a launch is under way."""
        if not self._inside_launch:
            self.refusal = self.refusal or sentence
            raise Refused(sentence)


guard = Guard()
"""The process's guard: a worker serves one submission."""


class _Dispatch(TorchDispatchMode):
    def __init__(self, owner: Guard) -> None:
        super().__init__()
        self.owner = owner

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        name = func._schema.name
        if not func.is_view and name not in ALLOCATIONS:
            self.owner.refuse(
                f"solve() called torch's `{name.removeprefix('aten::')}`: the work belongs in your kernel "
                "(allocation, views and fills with a constant are fine)"
            )
        return func(*args, **(kwargs or {}))


class _Functions(TorchFunctionMode):
    def __init__(self, owner: Guard) -> None:
        super().__init__()
        self.owner = owner

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        name = getattr(func, "__name__", "")
        if name == "__get__":  # a property: its name is its descriptor's
            owner = getattr(func, "__self__", None)
            name = getattr(getattr(owner, "fget", owner), "__name__", "")
        if name in ESCAPES:
            self.owner.refuse(
                f"solve() used `tensor.{name}`: the work belongs in your kernel, not in another library"
            )
        return func(*args, **(kwargs or {}))


def count_triton_launches() -> None:
    """Make every outermost `kernel[grid](...)` of Triton, autotuned or not, count as a launch."""
    try:
        from triton.runtime.jit import KernelInterface
    except ImportError:
        return

    def getitem(kernel: Any, grid: Any) -> Any:
        def launch(*args: Any, **kwargs: Any) -> Any:
            with guard.launching():
                return kernel.run(*args, grid=grid, warmup=False, **kwargs)

        return launch

    KernelInterface.__getitem__ = getitem


def arm(protected: tuple[Path, ...]) -> None:
    """From now on refuse forks, threads and writes below the `protected` folders. It cannot be disarmed."""
    roots = tuple(os.path.realpath(path) + os.sep for path in protected)
    sys.addaudithook(lambda event, args: _audit(event, args, roots))


def _audit(event: str, args: tuple[Any, ...], roots: tuple[str, ...]) -> None:
    if event in ("os.fork", "os.forkpty"):
        guard.refuse("the submission tried to fork: a kernel needs no second process")
    elif event == "_thread.start_new_thread":
        guard.refuse("the submission tried to start a thread: a kernel needs none")
    elif event in _WRITES and (event != "open" or _for_writing(args)):
        for path in args[: _WRITES[event]]:
            if isinstance(path, (str, bytes)) and (os.path.realpath(os.fsdecode(path)) + os.sep).startswith(roots):
                guard.refuse(f"the submission tried to change {os.fsdecode(path)}, which belongs to the grader")


_WRITES = {
    "open": 1,
    "os.remove": 1,
    "os.rename": 2,
    "os.rmdir": 1,
    "os.truncate": 1,
    "os.chmod": 1,
    "os.link": 2,
    "os.symlink": 2,
}
"""Audit events that change files, and how many of their first arguments are paths."""


def _for_writing(args: tuple[Any, ...]) -> bool:
    mode, flags = args[1] or "", args[2] or 0
    return any(letter in mode for letter in "wax+") or bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
