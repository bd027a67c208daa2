"""`grade reset`: the stub back in the place of what the learner wrote, which is kept."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from grader.commands.options import ExerciseArgument, TrackOption, one_exercise

if TYPE_CHECKING:
    from grader.commands.learner import Terminal
    from grader.journal import Journal

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(epilog="Examples: grade reset vector_add · grade reset vector_add --track triton")
def reset(target: ExerciseArgument = None, track: TrackOption = None) -> None:
    """Put an exercise back to its stubs. Your files are kept as a copy, whose path is printed."""
    from grader import discover
    from grader.attempt import now
    from grader.commands.learner import Terminal, open_journal, own, write
    from grader.outcome import GraderError
    from grader.pristine import pristine

    root = discover.find_root(Path.cwd())
    exercise = one_exercise(root, target, "reset")
    mine = own(root, exercise, track)
    journal, _ = open_journal(root)
    fresh = {path: pristine(root, exercise, path.name) for one in mine for path in one.files}
    terminal = Terminal()
    for one in mine:
        changed = {path: fresh[path] for path in one.files if not _holds(path, fresh[path].text)}
        if not changed:
            terminal.say(
                f"{one.track}: nothing to do, {' and '.join(path.name for path in one.files)} as in the stub"
            )
            continue
        try:
            for path, stub in changed.items():
                kept = _keep(journal, exercise.id, path)
                path.write_text(stub.text, encoding="utf-8")
                _tell(terminal, one.shown(path), stub.source, kept.relative_to(root).as_posix() if kept else "")
        except OSError as error:
            raise GraderError(f"cannot write {error.filename}: {error.strerror}; nothing was lost") from None
        write(journal, event="reset", exercise=exercise.id, track=one.track, when=now())
    terminal.say(f"the task: grade show {exercise.slug}; then: grade {exercise.slug}")


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


def _keep(journal: Journal, exercise_id: str, path: Path) -> Path | None:
    """Copy the learner's file out of the way; its new path, or None where there is no file."""
    if not path.is_file():
        return None
    folder = journal.folder / "kept" / exercise_id
    folder.mkdir(parents=True, exist_ok=True)
    kept = journal.free(folder / path.name)
    shutil.copy2(path, kept)
    return kept


def _tell(terminal: Terminal, path: str, source: str, kept: str) -> None:
    terminal.say(f"{path} is the stub again ({source})", "bold")
    if kept:
        terminal.say(f"  yours is kept; to have it back: cp {kept} {path}")
