"""The journal: what became of the learner's own work, one JSON object a line in .kernel-ladder/journal.jsonl.

Lines are only ever appended, under a lock, each with one write that has reached the disk before `append` returns. So
two runs may write at once, and one that is killed leaves at most an unfinished last line, which the next clears away.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

FOLDER = ".kernel-ladder"
"""Where the journal and the files that `grade reset` replaced are kept, in the project's root."""

FORMAT = 1
"""Changes when a field changes its meaning or goes. The first line says which one a journal has."""

_STARTS = (b'{"event"', b'{"format"')
"""How every line begins that the journal itself has written."""

Entry = Mapping[str, Any]
"""One line: `event` ("attempt", "hint", "reset", "moved"), `exercise`, `when`, and what else belongs to the event."""


class JournalError(Exception):
    """The journal cannot be read or written: what is wrong, for the learner, and the command that mends it."""

    def __init__(self, trouble: str, remedy: str) -> None:
        super().__init__(f"{trouble}; {remedy}")
        self.trouble, self.remedy = trouble, remedy


@dataclass(frozen=True)
class _Content:
    """What a journal holds: its entries, their lines as they stand, and the lines that are none.

    `end` is where the last whole line ends, in bytes; `newer` the format of another Kernel Ladder's journal, or 0.
    """

    entries: tuple[Entry, ...] = ()
    whole: tuple[bytes, ...] = ()
    damaged: tuple[int, ...] = ()
    end: int = 0
    newer: int = 0


class Journal:
    """The journal of the project in `root`. What the learner must be told of its state gathers in `notes`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / FOLDER
        self.path = self.folder / "journal.jsonl"
        self.notes: list[str] = []

    def read(self) -> tuple[Entry, ...]:
        """Every entry that can be read, oldest first. It changes nothing on the disk. Raises JournalError."""
        content = _parse(self._bytes())
        if content.newer:
            self._note(f"{self._newer(content)}; nothing in it is shown: update this one (git pull)")
        elif content.damaged:
            self._note(f"{self._damaged(content)}; the other {len(content.entries)} entries are shown")
        return content.entries

    def append(self, entry: Entry) -> None:
        """Add one entry; it is on the disk when this returns. Raises JournalError."""
        try:
            with self._lock():
                self._mend()
                self._write(entry)
        except OSError as error:
            raise self._error("write", error) from None

    def free(self, path: Path) -> Path:
        """`path` with the time in its name, and a number if somebody else was there in the same second."""
        stem = f"{path.stem}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
        taken, number = path.with_name(f"{stem}{path.suffix}"), 1
        while taken.exists():
            number += 1
            taken = path.with_name(f"{stem}-{number}{path.suffix}")
        return taken

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _mend(self) -> None:
        """Make the journal one that can be appended to; what is not understood is kept beside it."""
        content = _parse(self._bytes())
        if content.newer:
            aside = self.free(self.path.with_suffix(f".format-{content.newer}"))
            self.path.rename(aside)
            self._note(f"{self._newer(content)}; it is kept as {self._shown(aside)}, and a new one is begun")
        elif content.damaged:
            aside = self.free(self.path.with_suffix(".damaged"))
            shutil.copy2(self.path, aside)
            fresh = self.path.with_suffix(".new")
            with fresh.open("wb") as file:
                file.writelines((_line({"format": FORMAT}), *content.whole))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
            self._note(f"{self._damaged(content)}; all of it is kept as {self._shown(aside)}, and the rest is used")

    def _write(self, entry: Entry) -> None:
        data = self._bytes()
        end = _parse(data).end
        text = (b"" if end else _line({"format": FORMAT})) + _line(entry)
        if end and data[end - 1 : end] != b"\n":  # whole, but for the newline
            text = b"\n" + text
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            os.ftruncate(descriptor, end)
            _write_all(descriptor, text, end)
        finally:
            os.close(descriptor)

    def _bytes(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise self._error("read", error) from None

    def _error(self, verb: str, error: OSError) -> JournalError:
        """What is in the way is moved aside, never removed."""
        folder, path = self._shown(self.folder), self._shown(self.path)
        remedy = f"chmod -R u+rwX {folder}"
        if self.folder.exists() and not self.folder.is_dir():
            remedy = f"it is a file, and must be a folder: mv {folder} {folder}.aside"
        elif self.path.exists() and not self.path.is_file():
            remedy = f"it must be a file: mv {path} {path}.aside"
        elif error.errno == errno.ENOSPC:
            remedy = "make room on the disk"
        elif not self.folder.exists():
            remedy = f"chmod u+w {self.root}"
        return JournalError(f"cannot {verb} {path}: {error.strerror}", remedy)

    def _newer(self, content: _Content) -> str:
        return f"{self._shown(self.path)} was written by a newer Kernel Ladder (format {content.newer}, not {FORMAT})"

    def _damaged(self, content: _Content) -> str:
        numbers = ", ".join(map(str, content.damaged[:5])) + (" ..." if len(content.damaged) > 5 else "")
        return f"{self._shown(self.path)} is damaged in line{'s' * (len(content.damaged) > 1)} {numbers}"

    def _shown(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def _parse(data: bytes) -> _Content:
    """What `data` holds. A last line without its newline counts if it is whole; else, if it only begins like one,
    somebody was killed there.
    """
    entries: list[Entry] = []
    whole: list[bytes] = []
    damaged: list[int] = []
    end = 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        value = _object(line)
        finished = line.endswith(b"\n")
        if value is None and not finished and any(start.startswith(line[:8]) for start in _STARTS):
            break
        end += len(line)
        if value is None:
            damaged.append(number)
        elif number == 1 and isinstance(value.get("format"), int):
            if value["format"] > FORMAT:
                return _Content(newer=value["format"], end=end)
        elif isinstance(value.get("event"), str) and isinstance(value.get("exercise"), str):
            entries.append(value)
            whole.append(line if finished else line + b"\n")
        else:
            damaged.append(number)
    return _Content(tuple(entries), tuple(whole), tuple(damaged), end)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _line(entry: Entry) -> bytes:
    return json.dumps(entry, ensure_ascii=False).encode() + b"\n"


def _write_all(descriptor: int, text: bytes, start: int) -> None:
    """Write `text` from `start` on and wait for the disk; where that fails nothing of it is left."""
    try:
        done = 0
        while done < len(text):
            done += os.pwrite(descriptor, text[done:], start + done)
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, start)
        raise
