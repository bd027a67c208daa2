"""Where a stub can be had again once the learner has filled it in.

From solutions/, which stubs are made from. A course may have taken them away; then from the last ones that git knows.
Where its history never held any, from the copy that `keep` made before the file was first touched, or else from the
commit that brought the file.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from grader.exercise import Exercise, ExerciseError, Submission
from grader.journal import FOLDER
from grader.stubs import checked_stub, solution_path


@dataclass(frozen=True)
class Pristine:
    """A stub's text, and in a few words where it came from."""

    text: str
    source: str


def pristine(root: Path, exercise: Exercise, name: str) -> Pristine:
    """The stub of the file `name`. Raises ExerciseError where it cannot be had."""
    solution = solution_path(root, exercise, name)
    shown = solution.relative_to(root).as_posix()
    if solution.is_file():
        return Pristine(checked_stub(solution.read_text(encoding="utf-8"), shown), f"made from {shown}")
    stub = f"levels/{exercise.id}/{name}"
    commit = _commit(root, shown, "--diff-filter=AM")
    if commit:
        text = _show(root, commit, shown)
        return Pristine(
            checked_stub(text, f"{shown} in git's {commit[:9]}"), f"made from {shown} in git's {commit[:9]}"
        )
    kept = _kept(root, exercise, name)
    if kept.is_file():
        return Pristine(kept.read_text(encoding="utf-8"), "as it was before you first graded it")
    commit = _commit(root, stub, "--diff-filter=A")
    if commit:
        return Pristine(_show(root, commit, stub), f"as git's {commit[:9]} brought it")
    raise ExerciseError(
        f"{stub}: its stub cannot be had again: here are no solutions/, no git history and no copy from before "
        "it was changed; take the file from where you got this folder"
    )


def keep(root: Path, submission: Submission) -> None:
    """Copy files that nobody has touched yet, where solutions/ does not have them. Raises OSError."""
    exercise = submission.exercise
    for path in submission.files:
        kept = _kept(root, exercise, path.name)
        if path.is_file() and not kept.exists() and not solution_path(root, exercise, path.name).is_file():
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, kept)


def _kept(root: Path, exercise: Exercise, name: str) -> Path:
    return root / FOLDER / "stubs" / exercise.id / name


def _commit(root: Path, path: str, kind: str) -> str:
    """The last commit that touched `path` in this way, "" where there is none, or no git."""
    return (_git(root, "log", "-1", "--format=%H", kind, "--", path) or "").strip()


def _show(root: Path, commit: str, path: str) -> str:
    text = _git(root, "show", f"{commit}:./{path}")
    if text is None:
        raise ExerciseError(f"{path}: git has it in {commit[:9]}, but cannot show it; is the clone complete?")
    return text


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
