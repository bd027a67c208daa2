"""The only process that runs submitted code: loads it, calls solve() once for each request, hands the bytes back.

It holds no reference, no truth and no bound. Requests and replies are JSON, tensors travel as an arena (arena.py)
in shared memory. What goes wrong in submitted code becomes a reply that says so in the learner's terms.
"""

from __future__ import annotations

import inspect
import json
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

from grader import backends
from grader.arena import Layout, shared_bytes
from grader.exercise import TRACKS
from grader.failures import Failure, explain, time_limit
from grader.guard import arm, count_triton_launches, guard
from grader.meter import Meter
from grader.outcome import Status
from grader.recorder import recorder

MAX_REQUEST = 1 << 16
"""Bytes; the grader's own requests stay far below."""

Reply = dict[str, Any]
Rows = list[Mapping[str, Any]]
Scalars = list[int | float]
Memory = Mapping[str, Any]
"""What is shared with the judge: `size` in bytes, and the `handle` of device memory (None: the memory of main())."""

_copy = Tensor.copy_
"""As it was before a submission could replace it."""


def main(control_fd: int, memory_fd: int) -> None:
    """Answer requests until the runner hangs up."""
    control = socket.socket(fileno=control_fd)
    submission = _Submission(memory_fd)
    while data := control.recv(MAX_REQUEST):
        request = json.loads(data)
        submission.seconds = request.pop("seconds")
        try:
            reply = getattr(submission, request.pop("op"))(**request)
        except Failure as failure:
            reply = {"status": failure.status, "message": failure.message[:2000], "detail": failure.detail[-8000:]}
        reply["launches"] = guard.launches
        sys.stdout.flush()
        control.send(json.dumps(reply, ensure_ascii=False).encode(errors="replace"))


class _Submission:
    """The loaded code of one track, and the arenas that its tensors live in."""

    def __init__(self, memory_fd: int) -> None:
        self.memory_fd = memory_fd
        self.backend = backends.current()
        self.folder, self.track = Path(), ""
        self.solve: Callable[..., Any] = _nothing
        self.layout = Layout([])
        self.arenas = torch.empty(0, 0, dtype=torch.uint8)
        self.handle, self.attached = "", torch.empty(0, dtype=torch.uint8)
        self.watch: Any = None
        self.seconds = 0.0

    def load(self, folder: str, track: str, arguments: list[str], protected: list[str]) -> Reply:
        """Import the track's files; `arguments` are the names solve() will be called with."""
        self.folder, self.track = Path(folder), track
        sys.dont_write_bytecode = True
        sys.path.insert(0, folder)
        self.backend.start()
        self.watch = self.backend.stopwatch()
        count_triton_launches()
        arm(self.folder, tuple(map(Path, protected)))
        path = self.folder / TRACKS[track][-1]
        module = self._run(lambda: _import(path), Status.BUILD_ERROR)
        solve = getattr(module, "solve", None)
        wanted = f"def solve({', '.join(arguments)})"
        if not callable(solve):
            raise Failure(Status.BUILD_ERROR, f"{path.name} defines no solve(); this exercise calls {wanted}")
        _check_signature(path.name, solve, arguments, wanted)
        self.solve = solve
        return {"build": _builds(track)}

    def call(self, memory: Memory, layout: Rows, scalars: Scalars) -> Reply:
        """One call of solve() on the arena in shared memory, which afterwards holds what the call left behind."""
        (call,) = self._calls(memory, layout, scalars)
        before = guard.launches
        recorder.shapes.clear()
        meter = Meter(self.backend.allocator())
        with guard.metering(meter), self.backend.watching():
            returned = self._run(lambda: self._to_the_end(call), Status.CRASH)
        self._give_back(memory)
        return {
            "launched": guard.launches - before,
            "allocated": meter.most,
            "largest": list(meter.largest),
            "returned": type(returned).__name__[:80],
            "findings": self.backend.take_findings(),
            "shapes": [asdict(shape) if shape else {} for shape in recorder.shapes],
        }

    def profile(self, memory: Memory, layout: Rows, scalars: Scalars) -> Reply:
        """A call that also tells what its kernels cost and, on the virtual GPU, what each of their lines did."""
        with recorder.recording():
            reply = self.call(memory, layout, scalars)
        loaded = {id(build): build for build in _builds(self.track)}
        costs = list((loaded | recorder.builds).values())
        return reply | {"build": costs, "kernels": recorder.rows(), "waits": recorder.waits}

    def time(self, memory: Memory, layout: Rows, scalars: Scalars, batch: int) -> Reply:
        """Call solve() once on each arena and time every `batch` calls; the seconds of one call in each batch."""
        calls = self._calls(memory, layout, scalars)
        samples = [calls[start : start + batch] for start in range(0, len(calls), batch)]
        seconds = self._run(lambda: self.watch.block(samples), Status.CRASH)
        self._give_back(memory)
        return {"seconds": seconds}

    def sustain(self, memory: Memory, layout: Rows, scalars: Scalars, rounds: int) -> Reply:
        """Call solve() on all arenas, `rounds` times over, with nothing between: the judge holds its own clock."""
        calls = self._calls(memory, layout, scalars)
        queued, total = self._run(lambda: self.watch.sustained(calls, rounds), Status.CRASH)
        return {"queued": queued, "total": total}

    def _calls(self, memory: Memory, layout: Rows, scalars: Scalars) -> list[Callable[[], Any]]:
        """What calls solve() on each arena."""
        self._place(memory, Layout.from_json(layout))
        guard.refusal = None

        def prepare(arena: Tensor) -> Callable[[], Any]:
            tensors = [self.layout.tensor(arena, slot) for slot in self.layout.slots]
            return lambda: self._call(tensors, scalars)

        return [prepare(arena) for arena in self.arenas]

    def _call(self, tensors: list[Tensor], scalars: Scalars) -> Any:
        with guard.watching():
            return self.solve(*tensors, *scalars)

    def _to_the_end(self, call: Callable[[], Any]) -> Any:
        """Call, and wait for what it started on the device."""
        returned = call()
        with guard.watching():  # a submission may have replaced this function, too
            self.backend.synchronize()
        return returned

    def _place(self, memory: Memory, layout: Layout) -> None:
        """Have as many arenas as fit in the shared memory, with its contents, in memory of this process: kernels run
        at half their speed in some of what another process has allocated. The same layout keeps its place, so that
        pointers recur with new contents.
        """
        shape = (memory["size"] // layout.size, layout.size)
        if layout.slots != self.layout.slots or self.arenas.shape != shape:
            self.arenas = torch.empty(0, 0, dtype=torch.uint8)  # gone before there are new ones
            self.arenas = torch.empty(shape, dtype=torch.uint8, device=self.backend.torch_device)
        self.layout = layout
        _copy(self.arenas, self._shared(memory))

    def _give_back(self, memory: Memory) -> None:
        _copy(self._shared(memory), self.arenas)
        self.backend.synchronize()

    def _shared(self, memory: Memory) -> Tensor:
        """What is shared with the judge, in the shape of the arenas."""
        if memory["handle"] is None:
            return shared_bytes(self.memory_fd, memory["size"]).view(self.arenas.shape)
        if memory["handle"] != self.handle:
            self.handle, self.attached = memory["handle"], self.backend.attach(memory["handle"], memory["size"])
        return self.attached.view(self.arenas.shape)

    def _run(self, action: Callable[[], Any], otherwise: Status) -> Any:
        """Run submitted code; whatever it raises becomes a Failure."""
        try:
            with time_limit(self.seconds):
                result = action()
        except BaseException as error:
            raise explain(error, self.folder, otherwise, self.backend.cannot()) from None
        if guard.refusal:
            raise Failure(Status.WRONG, guard.refusal)
        return result


def _check_signature(file: str, solve: Callable[..., Any], arguments: list[str], wanted: str) -> None:
    try:
        signature = inspect.signature(solve)
    except (TypeError, ValueError):  # a builtin, say; the first call will tell
        return
    try:
        signature.bind(*arguments)
    except TypeError:
        message = f"{file}: solve{signature} cannot be called as this exercise calls it: {wanted}"
        raise Failure(Status.BUILD_ERROR, message) from None


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
