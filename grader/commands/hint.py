"""`grade hint`: one more of an exercise's folded hints each time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.commands.options import ExerciseArgument, TrackOption, one_exercise

if TYPE_CHECKING:
    from grader.page import Hint

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(epilog="Examples: grade hint vector_add · grade hint gelu --track triton · grade hint gelu --all")
def hint(
    target: ExerciseArgument = None,
    track: TrackOption = None,
    every: Annotated[bool, typer.Option("--all", help="All hints at once.", metavar="")] = False,
    again: Annotated[bool, typer.Option("--again", help="Those seen so far, and no new one.", metavar="")] = False,
) -> None:
    """Show the next hint for an exercise: each says a bit more than the one before.

    Without --track you get those for the track that you attempted last, and --all shows those for the others, too.
    """
    from grader import discover
    from grader.attempt import now
    from grader.commands.learner import Terminal, open_journal, own, write
    from grader.page import hints, hints_for, read_page

    root = discover.find_root(Path.cwd())
    exercise = one_exercise(root, target, "hint")
    slug = exercise.slug
    if every and again:
        raise discover.TargetError("--all and --again exclude each other: leave one out")
    page = read_page(exercise)
    if not hints(page):
        raise discover.TargetError(f"{slug} has no hints; its task: grade show {slug}")
    journal, progress = open_journal(root)
    mine = {one.track for one in own(root, exercise, track)}
    meant = track or progress.last_track(exercise)
    folds = hints(page) if every and not track else hints_for(page, meant if len(mine) == 1 or meant in mine else "")
    option = f" --track {track}" if track else ""
    seen = min(progress.hints(exercise, meant), len(folds))
    if again and not seen:
        raise discover.TargetError(f"no hint for {slug} was shown yet; the first one: grade hint {slug}{option}")
    last = len(folds) if every else seen if again else min(seen + 1, len(folds))
    first = 0 if every or again else last - 1
    terminal = Terminal()
    for number, fold in enumerate(folds[first:last], first + 1):
        which = f" for {meant}" if len(folds) < len(hints(page)) else ""
        terminal.say(f"hint {number} of {len(folds)}{which}: {fold.title}", "bold")
        terminal.say()
        terminal.markdown(fold.text)
        terminal.say()
    if last > seen:
        write(journal, event="hint", exercise=exercise.id, track=meant, when=now(), shown=last)
    retry = f"try it: grade {slug}{option}"
    if last < len(folds):
        terminal.say(f"{retry}; one more hint: grade hint {slug}{option}")
    elif last > seen:
        terminal.say(f"{retry}; that was the last hint{_others(slug, folds, hints(page))}")
    else:
        terminal.say(f"there are no more; all of them: grade hint {slug} --all; {retry}")


def _others(slug: str, shown: Sequence[Hint], every: Sequence[Hint]) -> str:
    """Where there are more, for other tracks."""
    return f" for this track; those for all: grade hint {slug} --all" if len(shown) < len(every) else ""
