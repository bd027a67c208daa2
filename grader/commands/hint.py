"""`grade hint`: one more of an exercise's folded hints each time."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grader.commands.options import ExerciseArgument, one_exercise

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(epilog="Examples: grade hint vector_add · grade hint vector_add --again · grade hint vector_add --all")
def hint(
    target: ExerciseArgument = None,
    every: Annotated[bool, typer.Option("--all", help="All hints at once.", metavar="")] = False,
    again: Annotated[bool, typer.Option("--again", help="Those seen so far, and no new one.", metavar="")] = False,
) -> None:
    """Show the next hint for an exercise: each says a bit more than the one before."""
    from grader import discover
    from grader.attempt import now
    from grader.commands.learner import Terminal, open_journal, write
    from grader.page import hints, read_page

    root = discover.find_root(Path.cwd())
    exercise = one_exercise(root, target, "hint")
    slug = exercise.slug
    if every and again:
        raise discover.TargetError("--all and --again exclude each other: leave one out")
    folds = hints(read_page(exercise))
    if not folds:
        raise discover.TargetError(f"{slug} has no hints; its task: grade show {slug}")
    journal, progress = open_journal(root)
    seen = min(progress.hints(exercise), len(folds))
    if again and not seen:
        raise discover.TargetError(f"no hint for {slug} was shown yet; the first one: grade hint {slug}")
    last = len(folds) if every else seen if again else min(seen + 1, len(folds))
    first = 0 if every or again else last - 1
    terminal = Terminal()
    for number, fold in enumerate(folds[first:last], first + 1):
        terminal.say(f"hint {number} of {len(folds)}: {fold.title}", "bold")
        terminal.say()
        terminal.markdown(fold.text)
        terminal.say()
    if last > seen:
        write(journal, event="hint", exercise=exercise.id, when=now(), shown=last)
    if last < len(folds):
        terminal.say(f"try it: grade {slug}; one more hint: grade hint {slug}")
    elif last > seen:
        terminal.say(f"try it: grade {slug}; that was the last hint")
    else:
        terminal.say(f"there are no more; all of them: grade hint {slug} --all; try it: grade {slug}")
