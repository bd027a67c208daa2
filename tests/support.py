"""What several test files call."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

from grader import mutants
from grader.exercise import Exercise, Submission
from grader.outcome import Verdict

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
GRADE = [sys.executable, "-m", "grader"]


def grade(*arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command with its output in pipes."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run([*GRADE, *arguments], cwd=cwd, env=env, capture_output=True, text=True, timeout=120)


def on_a_terminal(*arguments: str, cwd: Path = ROOT, **environment: str) -> str:
    """What the command prints, output and errors together, on a pseudo-terminal of 150 columns."""
    master, slave = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "COLUMNS": "150", **environment}
    process = subprocess.Popen([*GRADE, *arguments], cwd=cwd, env=env, stdout=slave, stderr=slave, stdin=slave)
    os.close(slave)
    seen = b""
    while True:
        try:
            chunk = os.read(master, 4096)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
    process.wait()
    os.close(master)
    return seen.decode()


class Terminal:
    """The command on a pseudo-terminal of 110 columns, with somebody who types and reads. A context manager."""

    def __init__(self, *arguments: str, cwd: Path = ROOT) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 110, 0, 0))
        env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
        for size in ("COLUMNS", "LINES"):  # the terminal's own count, also where tests run in parallel
            env.pop(size, None)
        command = ["setsid", "--ctty", "--wait", *GRADE, *arguments]  # so that Ctrl-C on it is a signal
        self.process = subprocess.Popen(command, cwd=cwd, env=env, stdout=slave, stderr=slave, stdin=slave)
        os.close(slave)
        self.seen = ""

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def expect(self, pattern: str, seconds: float = 90) -> str:
        """Read on until `pattern` is found in what has come since the last time; all of that, without colours."""
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, plain(self.seen))):
            left = deadline - time.monotonic()
            assert left > 0 and select.select([self.master], [], [], left)[0], f"no {pattern!r}: {plain(self.seen)}"
            chunk = self._read()
            assert chunk, f"ended with no {pattern!r}: {plain(self.seen)}"
            self.seen += chunk
        text = plain(self.seen)
        self.seen = text[found.end() :]
        return text[: found.end()]

    def ended(self, seconds: float = 30) -> int:
        """Its exit code."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline:
            if select.select([self.master], [], [], 0.1)[0]:
                self.seen += self._read()
        return self.process.wait(1)

    def _read(self) -> str:
        try:
            return os.read(self.master, 1 << 16).decode(errors="replace")
        except OSError:  # nobody has the other end open any more
            return ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *what: object) -> None:
        os.close(self.master)  # a hang-up, which ends it
        self.process.wait(30)


def plain(text: str) -> str:
    """What a terminal was sent, less colours, links and the like."""
    return re.sub(r"\x1b\[[\d;?]*[a-zA-Z]|\x1b\]8;[^\x1b]*\x1b\\", "", text)


def edited_solution(exercise: Exercise, track: str, folder: Path, edits: dict[str, tuple[str, str]]) -> Submission:
    """A copy of a solution in `folder` with (find, replace) applied to its files; each must be found exactly once."""
    return mutants.edited_solution(ROOT, exercise, track, folder, edits)


def words(verdict: Verdict) -> str:
    """Everything a verdict tells the learner."""
    return f"{verdict.reason}\n{verdict.outcome.detail}"
