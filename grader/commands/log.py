"""`grade log`: every graded attempt at an exercise."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from grader.commands.options import ExerciseArgument, TrackOption, one_exercise

if TYPE_CHECKING:
    from grader.attempt import Attempt

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

HEADINGS = ("when", "track", "backend", "grade", "time", "ratio", "error", "source", "reason")


@app.command(epilog="Example: grade log vector_add --track triton. Where all exercises stand: grade list")
def log(target: ExerciseArgument = None, track: TrackOption = None) -> None:
    """Show the graded attempts at an exercise, oldest first.

    Time is that of one call, ratio the speed over PyTorch's, error the worst in units of the bound, source a hash of
    your files: where it is the same, so were they.
    """
    from grader import discover
    from grader.commands.learner import Terminal, open_journal, own

    root = discover.find_root(Path.cwd())
    exercise = one_exercise(root, target, "log")
    mine = own(root, exercise, track)
    journal, progress = open_journal(root)
    attempts = sorted((each for one in mine for each in progress.attempts(one)), key=lambda one: one.when)
    terminal = Terminal()
    if not attempts:
        terminal.say(
            f"no attempt at {exercise.slug} yet{f' in {track}' if track else ''}; grade {exercise.slug} adds one"
        )
        return
    from grader.report import NARROW

    terminal.say(exercise.id, "bold")
    columns = list(zip(HEADINGS, *map(_row, attempts), strict=True))
    narrow = terminal.console.is_terminal and terminal.console.width < NARROW
    shown = columns[:-1] if narrow else columns
    headings, *rows = zip(*(column for column in shown if any(column[1:])), strict=True)
    terminal.rows(rows, headings)
    if narrow:
        terminal.say(f"the last: {attempts[-1].reason}")
    terminal.say(
        f"{len(attempts)} attempt{'s' * (len(attempts) > 1)}, all figures in {journal.path.relative_to(root)}", "dim"
    )
    terminal.say(f"one more: grade {exercise.slug}")


def _row(attempt: Attempt) -> tuple[str, ...]:
    from rich.markup import escape

    from grader.commands.learner import COLOURS, local

    return (
        escape(local(attempt.when)),
        attempt.track,
        escape(attempt.backend),
        f"[{COLOURS.get(attempt.grade, 'green')}]{attempt.grade}[/]",
        f"{attempt.seconds * 1e3:.3f} ms" if attempt.seconds is not None else "",
        f"{attempt.ratio:.2f}x" if attempt.ratio is not None else "",
        f"{attempt.worst:.2f}" if attempt.worst is not None else "",
        escape(attempt.source[:8]),
        escape(attempt.reason),
    )
