"""What several test files call."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from grader import mutants
from grader.exercise import Exercise, Submission
from grader.outcome import Verdict

ROOT = Path(__file__).resolve().parent.parent
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


def edited_solution(exercise: Exercise, track: str, folder: Path, edits: dict[str, tuple[str, str]]) -> Submission:
    """A copy of a solution in `folder` with (find, replace) applied to its files; each must be found exactly once."""
    return mutants.edited_solution(ROOT, exercise, track, folder, edits)


def words(verdict: Verdict) -> str:
    """Everything a verdict tells the learner."""
    return f"{verdict.reason}\n{verdict.outcome.detail}"
