"""The only process that runs submitted code: loads it, calls solve() once for each request, hands the bytes back.

It holds no reference, no truth and no bound. Requests and replies are JSON, tensors travel as an arena (arena.py)
in shared memory. What goes wrong in submitted code becomes a reply that says so in the learner's terms.
"""

from __future__ import annotations

import errno
import inspect
import json
import socket
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

import torch
from torch import Tensor

from grader import backends
from grader.arena import Layout, shared_bytes
from grader.exercise import TRACKS
from grader.guard import Refused, arm, count_triton_launches, guard
from grader.outcome import Status

MAX_REQUEST = 1 << 16
"""Bytes; the grader's own requests stay far below."""

MAX_FRAMES, MAX_TRACEBACK = 10, 40
"""Calls that are shown of one traceback, lines of one and of its causes."""

MACHINE = "MACHINE"
"""A reply's status where the machine is at fault, not the submission."""

Reply = dict[str, Any]


_copy = Tensor.copy_
"""As it was before a submission could replace it."""


class Failure(Exception):
    """The submission failed: a status and a text for the learner."""

    def __init__(self, status: str, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.detail = status, message, detail


def main(control_fd: int, memory_fd: int) -> None:
    """Answer requests until the runner hangs up."""
    control = socket.socket(fileno=control_fd)
    submission = _Submission(memory_fd)
    while data := control.recv(MAX_REQUEST):
        request = json.loads(data)
        try:
            reply = getattr(submission, request.pop("op"))(**request)
        except Failure as failure:
            reply = {"status": failure.status, "message": failure.message[:2000], "detail": failure.detail[-8000:]}
        reply["launches"] = guard.launches
        sys.stdout.flush()
        control.send(json.dumps(reply, ensure_ascii=False).encode(errors="replace"))


class _Submission:
    """The loaded code of one track, and the arena that its tensors live in."""

    def __init__(self, memory_fd: int) -> None:
        self.memory_fd = memory_fd
        self.backend = backends.current()
        self.folder = Path()
        self.solve: Callable[..., Any] = _nothing
        self.layout = Layout([])
        self.arena = torch.empty(0, dtype=torch.uint8)

    def load(self, folder: str, track: str, arguments: list[str], protected: list[str]) -> Reply:
        """Import the track's files; `arguments` are the names solve() will be called with."""
        self.folder = Path(folder)
        sys.dont_write_bytecode = True
        sys.path.insert(0, folder)
        self.backend.start()
        count_triton_launches()
        arm(self.folder, tuple(map(Path, protected)))
        path = self.folder / TRACKS[track][-1]
        module = self._run(lambda: _import(path), Status.BUILD_ERROR)
        solve = getattr(module, "solve", None)
        wanted = f"def solve({', '.join(arguments)})"
        if not callable(solve):
            raise Failure(Status.BUILD_ERROR, f"{path.name} defines no solve(); this exercise calls {wanted}")
        self._check_signature(path.name, solve, arguments, wanted)
        self.solve = solve
        return {"build": _builds(track)}

    def _check_signature(self, file: str, solve: Callable[..., Any], arguments: list[str], wanted: str) -> None:
        try:
            signature = inspect.signature(solve)
        except (TypeError, ValueError):  # a builtin, say; the first call will tell
            return
        try:
            signature.bind(*arguments)
        except TypeError:
            message = f"{file}: solve{signature} cannot be called as this exercise calls it: {wanted}"
            raise Failure(Status.BUILD_ERROR, message) from None

    def call(self, layout: list[Mapping[str, Any]], scalars: list[int | float]) -> Reply:
        """One call of solve() on the arena in shared memory, which afterwards holds what the call left behind."""
        self._place(Layout.from_json(layout))
        image = shared_bytes(self.memory_fd, self.layout.size)
        _copy(self.arena, image)
        tensors = [self.layout.tensor(self.arena, slot) for slot in self.layout.slots]
        before = guard.launches
        guard.refusal = None
        returned = self._run(lambda: self._call(tensors, scalars), Status.CRASH)
        if guard.refusal:
            raise Failure(Status.WRONG, guard.refusal)
        _copy(image, self.arena)
        return {
            "launched": guard.launches - before,
            "returned": type(returned).__name__[:80],
            "findings": self.backend.take_findings(),
        }

    def _call(self, tensors: list[Tensor], scalars: list[int | float]) -> Any:
        with guard.watching():
            returned = self.solve(*tensors, *scalars)
            self.backend.synchronize()  # watched as well, for a submission may have replaced it
        return returned

    def _place(self, layout: Layout) -> None:
        """Make room for `layout`; the same layout keeps its place, so that pointers recur with new contents."""
        if layout.slots != self.layout.slots:
            self.layout = layout
            self.arena = torch.empty(layout.size, dtype=torch.uint8, device=self.backend.torch_device)

    def _run(self, action: Callable[[], Any], otherwise: Status) -> Any:
        """Run submitted code; whatever it raises becomes a Failure."""
        try:
            return action()
        except self.backend.cannot() as error:
            raise Failure(Status.UNVERIFIED, str(error).replace(f"{self.folder}/", "")) from None
        except backends.GraderError as error:
            raise Failure(Status.UNSUPPORTED, str(error)) from None
        except Refused as error:
            raise Failure(Status.WRONG, str(error)) from None
        except SystemExit as error:
            raise Failure(Status.CRASH, f"{self._where(error.__traceback__)}the submission called exit()") from None
        except BaseException as error:
            if guard.refusal:
                raise Failure(Status.WRONG, guard.refusal) from None
            if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise Failure(MACHINE, f"no space left on disk for {error.filename or 'compiled kernels'}") from None
            raise self._failure(error, otherwise) from None

    def _failure(self, error: BaseException, otherwise: Status) -> Failure:
        from grader.cuda import BuildError, LaunchError

        text = _text(error)
        if isinstance(error, BuildError):
            first = next((line for line in text.splitlines() if "error" in line), text.splitlines()[0])
            return Failure(Status.BUILD_ERROR, first, text if text != first else "")
        where = self._where(error.__traceback__)
        if isinstance(error, LaunchError):
            return Failure(Status.CRASH, f"{where}{text}")
        if isinstance(error, SyntaxError) and error.filename:
            caret = "".join(traceback.format_exception_only(error))
            return Failure(Status.BUILD_ERROR, f"{Path(error.filename).name}:{error.lineno}: {error.msg}", caret)
        if isinstance(error, ImportError) and otherwise is Status.BUILD_ERROR:
            return Failure(Status.BUILD_ERROR, f"{where}{text}; only installed packages can be imported")
        summary = f"{where}{type(error).__name__}: {text.splitlines()[0] if text else ''}".rstrip(": ")
        return Failure(otherwise, summary, self._traceback(error))

    def _where(self, trace: TracebackType | None) -> str:
        """ "triton_kernel.py:12: " for the innermost line of the learner's own, or nothing."""
        frames = [frame for frame in traceback.extract_tb(trace) if Path(frame.filename).parent == self.folder]
        return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}: " if frames else ""

    def _traceback(self, error: BaseException) -> str:
        """The traceback as the learner's files see it: without the grader's frames."""
        lines: list[str] = []
        chain: BaseException | None = error
        while chain is not None and len(lines) < MAX_TRACEBACK:
            frames = [
                f"{Path(frame.filename).name}:{frame.lineno}, in {frame.name}\n    {frame.line}"
                for frame in traceback.extract_tb(chain.__traceback__)
                if Path(frame.filename).parent == self.folder
            ]
            if len(frames) > MAX_FRAMES:
                gap = f"[... {len(frames) - MAX_FRAMES} more calls ...]"
                frames[MAX_FRAMES // 2 : -MAX_FRAMES // 2] = [gap]
            lines += [*frames, f"{type(chain).__name__}: {_text(chain)}".rstrip(": ")]
            chain = chain.__cause__
        return "\n".join(lines)


def _text(error: BaseException) -> str:
    """The exception's words; its own __str__ may fail as well."""
    try:
        return str(error)
    except BaseException:
        return ""


def _import(path: Path) -> ModuleType:
    """Run a submitted file as a module. A source that is not UTF-8 or does not parse raises SyntaxError."""
    source = path.read_bytes()
    try:
        text = source.decode()
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise SyntaxError("not UTF-8; save the file as UTF-8", (str(path), line, 1, "")) from None
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    sys.modules[path.stem] = module
    exec(compile(text, str(path), "exec"), module.__dict__)
    return module


def _builds(track: str) -> list[dict[str, Any]]:
    if track != "cuda":
        return []
    from grader.cuda import builds

    return builds


def _nothing(*args: Any) -> None:
    raise RuntimeError("call before load")
