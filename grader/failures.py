"""What went wrong in submitted code, in the learner's terms: a status, a sentence, a traceback of their own files."""

from __future__ import annotations

import contextlib
import errno
import signal
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, TracebackType

from grader.cuda import BuildError, LaunchError
from grader.guard import Refused, guard
from grader.outcome import GraderError, Status
from grader.tritonwords import compile_error, launch_error
from grader.vgpu.errors import LaunchError as RefusedLaunch

MACHINE = "MACHINE"
"""A reply's status where the machine is at fault, not the submission."""

MAX_FRAMES, MAX_TRACEBACK = 10, 40
"""Calls that are shown of one traceback, lines of one and of its causes."""


class TooLong(BaseException):
    """Submitted code has run for as long as it may; not an Exception, so that `except Exception` cannot hide it."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Interrupt Python code after that time with TooLong, whose traceback tells where it was. What hangs outside of
    Python, or does not let itself be interrupted, is left to the runner's own deadline.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise TooLong(f"no answer within {seconds:.0f} s")

    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


class Failure(Exception):
    """The submission failed: a status and a text for the learner."""

    def __init__(self, status: str, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.detail = status, message, detail


def explain(error: BaseException, folder: Path, otherwise: Status, cannot: tuple[type[Exception], ...]) -> Failure:
    """The failure that an exception from the submission in `folder` amounts to: `otherwise`, if nothing special.

    `cannot` are the exceptions by which the backend says that it cannot run something.
    """
    if isinstance(error, cannot):
        return Failure(Status.UNVERIFIED, _text(error).replace(f"{folder}/", ""))
    if isinstance(error, GraderError):
        return Failure(Status.UNSUPPORTED, _text(error))
    if isinstance(error, Refused):
        return Failure(Status.WRONG, _text(error))
    where = _where(error.__traceback__, folder)
    if isinstance(error, TooLong):
        at = f": {where.removesuffix(': ')} was still running" if where else ""
        return Failure(Status.TIMEOUT, f"{_text(error)}{at}; is there a loop that never ends?")
    if isinstance(error, SystemExit):
        return Failure(Status.CRASH, f"{where}the submission called exit()")
    if guard.refusal:
        return Failure(Status.WRONG, guard.refusal)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Failure(MACHINE, f"no space left on disk for {error.filename or 'compiled kernels'}")
    return _build_failure(error, where, otherwise) or _crash(error, where, folder, otherwise)


def _build_failure(error: BaseException, where: str, otherwise: Status) -> Failure | None:
    text = _text(error)
    if isinstance(error, BuildError):
        first = next((line for line in text.splitlines() if "error" in line), text.splitlines()[0])
        return Failure(Status.BUILD_ERROR, first, text if text != first else "")
    if isinstance(error, SyntaxError) and error.filename:
        summary = f"{Path(error.filename).name}:{error.lineno}: {error.msg}"
        return Failure(Status.BUILD_ERROR, summary, "\n".join([summary, *_caret(error)]))
    if isinstance(error, ImportError) and otherwise is Status.BUILD_ERROR:
        return Failure(Status.BUILD_ERROR, f"{where}{text}; only installed packages can be imported")
    compiling = compile_error(error)
    return Failure(Status.BUILD_ERROR, compiling.summary, compiling.detail) if compiling else None


def _caret(error: SyntaxError) -> list[str]:
    """The line with the error and a caret below the place."""
    if not error.text or error.text.isspace():
        return []
    line = error.text.rstrip()
    column = max(error.offset or 1, 1) - 1
    return [f"    {line.lstrip()}", f"    {' ' * max(column - len(line) + len(line.lstrip()), 0)}^"]


def _crash(error: BaseException, where: str, folder: Path, otherwise: Status) -> Failure:
    if isinstance(error, (LaunchError, RefusedLaunch)):
        return Failure(Status.CRASH, f"{where}{_text(error)}")
    text, hint = launch_error(error) if _text(error) else ("", "")
    summary = f"{where}{type(error).__name__}: {text.splitlines()[0] if text else ''}".rstrip(": ")
    if not hint:
        return Failure(otherwise, summary, _traceback(error, folder))
    return Failure(otherwise, f"{summary}; {hint}", f"{_traceback(error, folder)}\nhint: {hint}")


def _where(trace: TracebackType | None, folder: Path) -> str:
    """ "triton_kernel.py:12: " for the innermost line of the learner's own, or nothing."""
    frames = [frame for frame in traceback.extract_tb(trace) if Path(frame.filename).parent == folder]
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}: " if frames else ""


def _traceback(error: BaseException, folder: Path) -> str:
    """The traceback as the learner's files see it: without the grader's frames."""
    lines: list[str] = []
    chain: BaseException | None = error
    while chain is not None and len(lines) < MAX_TRACEBACK:
        frames = [
            f"{Path(frame.filename).name}:{frame.lineno}, in {frame.name}\n    {frame.line}"
            for frame in traceback.extract_tb(chain.__traceback__)
            if Path(frame.filename).parent == folder
        ]
        if len(frames) > MAX_FRAMES:
            gap = f"[... {len(frames) - MAX_FRAMES} more calls ...]"
            frames[MAX_FRAMES // 2 : -MAX_FRAMES // 2] = [gap]
        lines += [*frames, f"{type(chain).__name__}: {launch_error(chain)[0] if _text(chain) else ''}".rstrip(": ")]
        chain = chain.__cause__
    return "\n".join(lines)


def _text(error: BaseException) -> str:
    """The exception's words; its own __str__ may fail as well."""
    try:
        return str(error)
    except BaseException:
        return ""
