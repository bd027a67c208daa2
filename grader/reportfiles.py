"""Reports in files: whole at every moment, and never last time's.

A report says from the start that grading crashed. Only a finished one takes its place, in one step: a run that is
killed at any point leaves a file that is valid and says so.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from grader.discover import TargetError
from grader.formats import Record, renderer
from grader.outcome import GraderError, HandInError

STDOUT = "-"

SCHEMA = 1
"""The record's; it changes when a field changes its meaning or goes."""


class ReportFile:
    """Where one report goes: a file, or standard output for "-". Raises TargetError where that cannot be."""

    def __init__(self, option: str, target: str) -> None:
        self.target = target
        if target == STDOUT:
            return
        if not target:
            raise TargetError(f"{option} '': name a file, or - for standard output")
        path = Path(target)
        if path.is_dir():
            raise TargetError(f"{option} {target}: is a folder; name a file in it")
        if not path.parent.is_dir():
            raise TargetError(f"{option} {target}: there is no folder {path.parent}")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise TargetError(f"{option} {target}: cannot be written: permission denied")

    @property
    def place(self) -> str:
        """What two reports must not share."""
        return self.target if self.target == STDOUT else str(Path(self.target).resolve())

    @property
    def keeps(self) -> bool:
        """Whether it is a file that can be replaced, and not a pipe, a device or standard output."""
        path = Path(self.target)
        return self.target != STDOUT and (path.is_file() or not path.exists())

    def write(self, text: str) -> None:
        """Put `text` there in the place of whatever there was. Raises GraderError."""
        try:
            if self.target == STDOUT:
                sys.stdout.write(text)
                sys.stdout.flush()
            elif self.keeps:
                replace_file(Path(self.target), text)
            else:
                Path(self.target).write_text(text, encoding="utf-8")
        except OSError as error:
            raise GraderError(f"cannot write {self.target}: {error.strerror}") from None


class Reports(AbstractContextManager["Reports"]):
    """All reports that one run is asked for, by format. Inside, each file says that grading crashed until `finish`
    puts the record there; an error that ends the run before that is named in it, as the learner's own where it is.
    Raises TargetError, GraderError.
    """

    def __init__(self, targets: Mapping[str, str | None], started: datetime) -> None:
        self._files = [
            (ReportFile(f"--{name}", target), renderer(name))
            for name, target in targets.items()
            if target is not None
        ]
        self.started, self._finished = started, False
        places = [file.place for file, _ in self._files]
        twice = next((file.target for file, _ in self._files if places.count(file.place) > 1), None)
        if twice is not None:
            raise TargetError(f"two reports cannot both go to {'standard output' if twice == STDOUT else twice}")

    @property
    def take_stdout(self) -> bool:
        """Whether standard output is a report's, so that what people read must go elsewhere."""
        return any(file.target == STDOUT for file, _ in self._files)

    def finish(self, record: Record) -> None:
        """Write the record in every format. Raises the first GraderError after all others were tried."""
        self._finished = True
        errors = [error for file, render in self._files if (error := _attempt(file, render, record))]
        if errors:
            raise errors[0]

    def _end(self, record: Record) -> None:
        for file, render in self._files:
            if file.keeps:
                file.write(render(record))

    def __enter__(self) -> Self:
        self._end(crashed(self.started, "it was killed, or the machine was, before it had finished"))
        return self

    def __exit__(self, kind: object, value: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(value, Exception) and not self._finished:
            with contextlib.suppress(GraderError):  # what ended the run is worth more
                if isinstance(value, HandInError):
                    self._end(refused(self.started, value.named))
                else:
                    self._end(crashed(self.started, str(value) or type(value).__name__))


def _attempt(file: ReportFile, render: Callable[[Record], str], record: Record) -> GraderError | None:
    try:
        file.write(render(record))
    except GraderError as error:
        return error
    return None


def crashed(started: datetime, trouble: str) -> Record:
    """The record of a run that came to nothing, with the fields that report.to_json has."""
    summary = {"total": 0, "passed": 0, "grades": {}, "complete": False, "score": 0, "max_score": 0}
    return {
        "schema": SCHEMA,
        "started": started.isoformat(),
        "seconds": 0.0,
        "trouble": trouble,
        "refused": "",
        "device": {},
        "seed": None,
        "results": [],
        "marks": [],
        "summary": summary,
    }


def refused(started: datetime, why: str) -> Record:
    """The record of a run that graded nothing of what was handed in: no trouble of the grader's."""
    return {**crashed(started, ""), "refused": why}


def replace_file(path: Path, text: str) -> None:
    """Write a file so that it holds the old text or the new, whole, whenever this is interrupted. Raises OSError."""
    path = path.resolve()  # through a link, to what it names
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with fresh.open("w", encoding="utf-8", errors="replace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise
