"""The tripwires around solve(): the work must happen in kernels that the submission launches.

Inside the worker, torch's dispatcher refuses compute operations, kernel launches are counted, and an audit hook
refuses forks, signals and writes to the grader's files; threads, which would work out of its sight, do not start.
None of this is a jail: it catches accidents and short cuts, and explains them. What decides the mark is checked in
another process.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from grader.meter import Meter
from grader.recorder import recorder

_MAKE_ROOM = """
    empty empty_like empty_strided new_empty new_empty_strided zeros zeros_like new_zeros full full_like new_full
    zero_ fill_ detach lift_fresh record_stream
"""
ALLOCATIONS = frozenset(f"aten::{name}" for name in _MAKE_ROOM.split())
"""Torch operations that solve() may use besides views: they make room, or set it to a constant."""

_HAND_OVER = """
    __array__ __cuda_array_interface__ __dlpack__ __reduce_ex__ apply_ map_ map2_ numpy share_memory_ storage
    to_dlpack tolist untyped_storage
"""
ESCAPES = frozenset(_HAND_OVER.split())
"""Tensor methods that hand the data to some other library, or to Python, past torch's dispatcher."""


class Refused(BaseException):
    """solve() did what it must not; not an Exception, so that `except Exception` cannot hide it."""


class Guard:
    """Counts launches and remembers the first refusal. `folder` is the submission's, ending in a separator, or
    empty where there is none.
    """

    def __init__(self) -> None:
        self.launches = 0
        self.refusal: str | None = None
        self.folder = ""
        self.is_watching = False
        self.meter: Meter | None = None
        self._launchers: list[FrameType] = []

    @contextlib.contextmanager
    def launching(self) -> Iterator[None]:
        """A kernel launch: counted, and free to use torch (compiling, autotuning, the virtual GPU do)."""
        meter = None if self._launchers else self.meter
        self.launches += not self._launchers
        self._launchers.append(sys._getframe(2))  # whoever entered the context
        try:
            if meter is None:
                yield
            else:
                with meter.launching():
                    yield
        finally:
            self._launchers.pop()

    @contextlib.contextmanager
    def metering(self, meter: Meter) -> Iterator[None]:
        """The time of a call whose memory is counted."""
        self.meter = meter
        try:
            with meter.running():
                yield
        finally:
            self.meter = None

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """The time in which solve() runs."""
        self.is_watching = True
        try:
            with _Dispatch(self), _Functions(self):
                yield
        finally:
            self.is_watching = False

    def refuse(self, sentence: str) -> None:
        """Raise Refused, unless a launch is under way that does this of its own accord."""
        if self._launchers and not self._asked_for():
            return
        sentence = f"{self._line()}{sentence}"
        self.refusal = self.refusal or sentence
        raise Refused(sentence)

    def _line(self) -> str:
        """ "triton_kernel.py:12: " for the submission's line that is being run, or nothing."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and not (self.folder and frame.f_code.co_filename.startswith(self.folder)):
            frame = frame.f_back
        return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}: " if frame else ""

    def _asked_for(self) -> bool:
        """Whether the submission's own code (a grid function, a hook) is what runs inside the current launch, or
        calls itself one.
        """
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if self.folder and frame.f_code.co_filename.startswith(self.folder):
                return True
            if frame is self._launchers[-1]:
                return False
            frame = frame.f_back
        return False


guard = Guard()
"""The process's guard: a worker serves one submission."""


class _Dispatch(TorchDispatchMode):
    def __init__(self, owner: Guard) -> None:
        super().__init__()
        self.owner = owner


def _dispatched(
    mode: _Dispatch, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
) -> Any:
    name = func._schema.name
    if not func.is_view and (name not in ALLOCATIONS or func._overloadname == "Tensor"):
        mode.owner.refuse(
            f"solve() called torch's `{name.removeprefix('aten::')}`: the work belongs in your kernel, "
            "which stores it in solve()'s outputs (allocation, views and fills with a constant are fine)"
        )
    return func(*args, **(kwargs or {}))


# Set here: in the class's body torch would wrap it in what imports torch._dynamo, seconds for torch.compile's sake.
_Dispatch.__torch_dispatch__ = _dispatched  # type: ignore[method-assign,assignment]


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
        if name in ("__repr__", "__format__"):
            self.owner.refuse(
                "solve() prints a tensor, for which torch would compute: print its shape here, and its values in "
                "the kernel (printf in CUDA, tl.device_print in Triton)"
            )
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
                if len(recorder.shapes) > 1:  # launches that are timed
                    return kernel.run(*args, grid=grid, warmup=False, **kwargs)
                values = dict(zip(getattr(kernel, "arg_names", ()), args, strict=False)) | kwargs
                return kernel.run(*args, grid=recorder.noted(grid, values), warmup=False, **kwargs)

        return launch

    KernelInterface.__getitem__ = getitem


def arm(folder: Path, protected: tuple[Path, ...]) -> None:
    """From now on refuse the submission in `folder` forks, threads, signals to others and changes below the
    `protected` folders. It cannot be disarmed.
    """
    guard.folder = f"{folder}{os.sep}"
    roots = tuple(os.path.realpath(path) + os.sep for path in protected)
    sys.addaudithook(lambda event, args: _audit(event, args, roots))
    for name in ("start_new_thread", "start_new", "start_joinable_thread"):  # not all Pythons audit thread starts
        for module, spelling in ((_thread, name), (threading, f"_{name}")):
            _refuse_calls(module, spelling, "the submission tried to start a thread: a kernel needs none")
    for module, name in (
        (torch._C, "_to_dlpack"),
        (torch._C, "_to_dlpack_versioned"),
        (torch.utils.dlpack, "to_dlpack"),
    ):
        _refuse_calls(module, name, "solve() used torch's DLPack capsule: the work belongs in your kernel")


def _refuse_calls(module: Any, name: str, sentence: str) -> None:
    """From now on submitted code may not call this: it works out of sight of torch's modes, the guard's eyes."""
    if not hasattr(module, name):
        return
    original = getattr(module, name)

    def refusing(*args: Any, **kwargs: Any) -> Any:
        guard.refuse(sentence)
        return original(*args, **kwargs)

    setattr(module, name, refusing)


def _audit(event: str, args: tuple[Any, ...], roots: tuple[str, ...]) -> None:
    if event in ("os.fork", "os.forkpty"):
        guard.refuse("the submission tried to fork: a kernel needs no second process")
    elif event in ("os.kill", "os.killpg") and args[0] != os.getpid():
        guard.refuse("the submission tried to signal another process: a kernel needs none")
    elif event == "ctypes.cdata" and guard.is_watching:
        guard.refuse("solve() reads memory through ctypes: the work belongs in your kernel")
    elif event in _CHANGES and (event != "open" or _for_writing(args)):
        for path, descriptor in _CHANGES[event].items():
            place = _place(args[path], args[descriptor] if descriptor else -1)
            if place and f"{place}{os.sep}".startswith(roots):
                guard.refuse(f"the submission tried to change {place}, which belongs to the grader")


_CHANGES: Mapping[str, Mapping[int, int]] = {
    "open": {0: 0},
    "os.chmod": {0: 2},
    "os.link": {0: 2, 1: 3},
    "os.mkdir": {0: 2},
    "os.remove": {0: 1},
    "os.rename": {0: 2, 1: 3},
    "os.rmdir": {0: 1},
    "os.symlink": {1: 2},
    "os.truncate": {0: 0},
}
"""Audit events that change files: where their paths are among the arguments, and where the folders' descriptors
that these are relative to (0: nowhere)."""


def _place(path: Any, descriptor: int) -> str | None:
    """The real path, if `path` is one; relative to the folder open as `descriptor`, or to the current one (-1)."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        return None
    folder = f"/proc/self/fd/{descriptor}" if descriptor >= 0 else ""
    return os.path.realpath(os.path.join(folder, os.fsdecode(path)))


def _for_writing(args: tuple[Any, ...]) -> bool:
    mode, flags = args[1] or "", args[2] or 0
    return any(letter in mode for letter in "wax+") or bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
