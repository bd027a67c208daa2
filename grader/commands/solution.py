"""`grade solution`: the reference solution, for who has solved the exercise."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.commands.options import ExerciseArgument, TrackOption, one_exercise

if TYPE_CHECKING:
    from grader.commands.learner import Terminal

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

LEXERS = {".cu": "cuda", ".py": "python", ".toml": "toml"}


@app.command(epilog="Examples: grade solution vector_add · grade solution vector_add --track cuda --spoil")
def solution(
    target: ExerciseArgument = None,
    track: TrackOption = None,
    spoil: Annotated[bool, typer.Option("--spoil", help="Show it though it is not solved yet.", metavar="")] = False,
) -> None:
    """Show the reference solution of each track that you have solved, to compare with yours."""
    from grader import discover
    from grader.commands.learner import Terminal, open_journal, own
    from grader.stubs import solution_path

    root = discover.find_root(Path.cwd())
    exercise = one_exercise(root, target, "solution")
    slug = exercise.slug
    mine = own(root, exercise, track)
    _, progress = open_journal(root)
    shown = [one for one in mine if spoil or progress.was_solved(one)]
    if not shown:
        where = f" in {track}" if track else ""
        raise discover.TargetError(
            f"{slug} is not solved yet{where}; a hint: grade hint {slug}; to see the solution all the same: "
            f"grade solution {slug}{f' --track {track}' if track else ''} --spoil"
        )
    paths = [solution_path(root, exercise, path.name) for one in shown for path in one.files]
    missing = [path for path in paths if not path.is_file()]
    if missing:
        raise discover.TargetError(f"{missing[0].relative_to(root)} is not here; courses may keep the solutions back")
    terminal = Terminal()
    for path in paths:
        terminal.say(path.relative_to(root).as_posix(), "bold")
        _code(terminal, path)
        terminal.say()
    hidden = [one.track for one in mine if one not in shown]
    if hidden:
        terminal.say(f"not solved yet, and not shown: {', '.join(hidden)}; a hint: grade hint {slug}")
    terminal.say("next: grade next")


def _code(terminal: Terminal, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if not terminal.console.is_terminal:
        terminal.say(text)
        return
    from rich.syntax import Syntax

    terminal.console.print(Syntax(text, LEXERS[path.suffix], theme="ansi_dark", background_color="default"))
