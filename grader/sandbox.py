"""The runner's side of the process boundary: asks the zygote for workers, talks to them, ends them.

Nothing that a worker sends is trusted: messages are JSON of bounded size, answers have a deadline, and what the
submission prints is drained, kept in part and never parsed.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from grader.outcome import GraderError
from grader.replies import describe_end, is_reply

if TYPE_CHECKING:
    import torch

    from grader.devicememory import DeviceMemory

MAX_REPLY = 1 << 16
"""Bytes; what is longer is cut, and then no JSON."""

KEPT_OUTPUT = 4096
"""Bytes of what a submission prints that are kept from its beginning and from its end."""


DRAINED_AT_ONCE = 64
"""Reads between two looks at the clock, so that a submission that never stops printing cannot stop it."""


GRACE = 0.5
"""Seconds after the deadline in which a worker may tell which line was running then."""


class WorkerEnded(Exception):
    """The worker is gone before it answered; the message says how, for the learner."""


class WorkerTimeout(Exception):
    """The worker did not answer in time; it has been killed."""


class Zygote:
    """The process that workers are forked from, started at once so that it imports torch while the caller does.

    A context manager; leaving it leaves no process and no temporary file behind. Raises GraderError.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        try:
            self._folder = tempfile.TemporaryDirectory(
                prefix="kernel-ladder-", dir=environment.get("TMPDIR"), ignore_cleanup_errors=True
            )
        except OSError as error:
            raise GraderError(f"no temporary folder can be made: {error.strerror}: {error.filename}") from None
        self.temporary = self._folder.name
        self._workers: weakref.WeakSet[Worker] = weakref.WeakSet()
        self._aborted = False
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "grader.zygote", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={
                    **os.environ,
                    "OMP_NUM_THREADS": "1",
                    "OPENBLAS_NUM_THREADS": "1",
                    **environment,
                    "TMPDIR": self.temporary,
                },
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def worker(self) -> Worker:
        """A fresh worker process. Raises GraderError if the zygote is gone."""
        if self._aborted:
            raise GraderError("grading was interrupted")
        life, their_life = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        control, their_control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        output, their_output = os.pipe()
        memory = os.memfd_create("arena", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        fcntl.fcntl(memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)  # cut short, it would take the grader down
        theirs = [their_life.fileno(), their_control.fileno(), memory, their_output]
        try:
            socket.send_fds(self._socket, [b"w"], theirs)
        except OSError:
            raise GraderError(f"the process that starts workers has ended (exit {self._process.poll()})") from None
        finally:
            their_life.close()
            their_control.close()
            os.close(their_output)
        worker = Worker(life, control, memory, output)
        self._workers.add(worker)
        return worker

    def abort(self) -> None:
        """End every worker now; whoever waits for one sees it ended. For use from another thread."""
        self._aborted = True
        for worker in list(self._workers):
            worker.hang_up()

    def resume(self) -> None:
        """After `abort`, and once nobody waits any more: there may be workers again."""
        self._aborted = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, value: object, trace: TracebackType | None) -> None:
        for worker in list(self._workers):
            worker.close()
        self._socket.close()
        try:
            self._process.wait(0.5)
        except subprocess.TimeoutExpired:  # still importing, say; it holds nothing
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()


class Worker:
    """One worker process: `ask` it, read and write its `arena`, `close` it. A context manager."""

    def __init__(self, life: socket.socket, control: socket.socket, memory: int, output: int) -> None:
        self._life, self._control, self._memory, self._output = life, control, memory, output
        self._size = 0
        self._device: DeviceMemory | None = None
        self.memory: dict[str, Any] = {"size": 0, "handle": None}
        self._head, self._tail = bytearray(), bytearray()
        os.set_blocking(output, False)

    def share(self, size: int, on_device: bool = False) -> torch.Tensor:
        """`size` bytes shared with the worker, as a uint8 tensor, in place of what was shared before: on the GPU if
        asked for and possible. Requests that work on it carry `memory`.
        """
        from grader.arena import shared_bytes

        if on_device:
            from grader.devicememory import DeviceMemory, NotShared

            with contextlib.suppress(NotShared):
                if self._device is None or self._device.tensor.numel() != size:
                    self._release()
                    self._device = DeviceMemory(size)
                self.memory = {"size": size, "handle": self._device.handle}
                return self._device.tensor
        if size > self._size:
            os.ftruncate(self._memory, size)
            self._size = size
        self.memory = {"size": size, "handle": None}
        return shared_bytes(self._memory, size)

    def ask(self, seconds: float, op: str, **request: Any) -> dict[str, Any]:
        """The worker's answer to one request. Raises WorkerEnded, WorkerTimeout; either ends the worker. It knows how
        many seconds it has, and has GRACE to say what they went into.
        """
        deadline = time.monotonic() + seconds + GRACE
        with contextlib.suppress(OSError):  # a worker that has died is noticed below
            self._control.send(json.dumps({"op": op, "seconds": seconds, **request}).encode())
        while (left := deadline - time.monotonic()) > 0:
            self._control.settimeout(min(left, 0.02))
            self._drain()
            try:
                data = self._control.recv(MAX_REPLY)
            except TimeoutError:
                continue
            except OSError:
                data = b""
            return self._parse(data) if data else self._ended()
        self.close()
        raise WorkerTimeout(f"no answer within {seconds:.0f} s")

    @property
    def printed(self) -> str:
        """What the submission printed, shortened in the middle."""
        self._drain()
        gap = b"\n[...]\n" if len(self._tail) == KEPT_OUTPUT else b""
        return (self._head + gap + self._tail).decode(errors="replace")

    def close(self) -> None:
        """End the worker and everything it started."""
        self._control.close()
        if self._life.fileno() < 0:
            return
        self.hang_up()
        self._report()
        self._release()
        self._life.close()
        os.close(self._memory)

    def hang_up(self) -> None:
        """Tell the guardian to end the worker, without waiting for it."""
        with contextlib.suppress(OSError):
            self._life.shutdown(socket.SHUT_WR)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, value: object, trace: TracebackType | None) -> None:
        self.close()
        os.close(self._output)

    def _report(self, seconds: float = 15) -> dict[str, Any]:
        """The guardian's last word. It drains the output meanwhile: a full pipe must not hold up the ending."""
        self._life.settimeout(0.02)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self._drain()
            with contextlib.suppress(TimeoutError):
                data = self._life.recv(MAX_REPLY)
                return dict(json.loads(data)) if data else {}
        return {}

    def _parse(self, data: bytes) -> dict[str, Any]:
        try:
            reply = json.loads(data)
        except ValueError:
            reply = None
        if not is_reply(reply):
            self.close()
            raise WorkerEnded("the submission answered in the grader's place")
        return dict(reply)

    def _release(self) -> None:
        if self._device is not None:
            self._device.close()
            self._device = None

    def _ended(self) -> dict[str, Any]:
        """Its end of the channel is closed: in a moment the guardian tells why, unless it lives on."""
        report = self._report(seconds=1)
        self.close()
        raise WorkerEnded(
            describe_end(report) if report else "the process cut its connection to the grader before it had answered"
        )

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            for _ in range(DRAINED_AT_ONCE):
                chunk = os.read(self._output, 1 << 16)
                room = KEPT_OUTPUT - len(self._head)
                self._head += chunk[:room]
                self._tail = (self._tail + chunk[room:])[-KEPT_OUTPUT:] if room < len(chunk) else self._tail
                if not chunk:
                    return
