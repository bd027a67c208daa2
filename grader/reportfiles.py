"""Reports in files: whole at every moment, and never last time's.

A report says from the start that grading crashed. Only a finished one takes its place, in one step: a run that is
killed at any point leaves a file that is valid and says so.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from grader.discover import TargetError
from grader.outcome import GraderError

STDOUT = "-"


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
