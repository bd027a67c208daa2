"""`grade watch`: grade what was saved, as soon as it is saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from grader.commands.options import ArchOption, BackendOption, TargetsArgument, TrackOption, choose_backend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.commands.learner import Terminal
    from grader.commands.regrader import Regrader
    from grader.commands.saves import Saves
    from grader.exercise import Submission

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

TURN = 0.1
"""Seconds between two looks at what was saved."""


class Superseded(Exception):
    """Something was saved while something was graded."""

    def __init__(self, saved: Sequence[Submission]) -> None:
        super().__init__()
        self.saved = saved


@app.command(
    epilog="Examples: grade watch · grade watch vector_add --track triton · grade watch level1. Ctrl-C ends it"
)
def watch(
    targets: TargetsArgument = None,
    track: TrackOption = None,
    backend: BackendOption = "auto",
    arch: ArchOption = None,
) -> None:
    """Grade an exercise's track each time you save one of its files, and only that. A newer save starts over.

    What was edited since it was last graded is graded at the start, where exercises are named. Ctrl-C ends it.
    """
    from grader import discover
    from grader.commands.learner import Terminal, open_journal
    from grader.commands.regrader import Regrader
    from grader.commands.saves import Saves

    root = discover.find_root(Path.cwd())
    chosen = discover.submissions(discover.select(root, targets or ["all"]), root / "levels", track)
    device = choose_backend(backend, arch)
    _, progress = open_journal(root)
    waiting = [one for one in chosen if progress.standing(one).waits] if targets else []
    terminal = Terminal()
    try:
        with Saves(chosen) as saves, Regrader(root, device) as regrader:
            terminal.say(f"on {regrader.warm()['name']}, backend {device.name}")
            terminal.say(f"watching {_what(chosen)}: save, and it is graded; Ctrl-C ends")
            _run(terminal, saves, regrader, waiting)
    except KeyboardInterrupt:
        terminal.say("\nstopped; next: grade next")


def _what(chosen: Sequence[Submission]) -> str:
    ids = list(dict.fromkeys(one.exercise.id for one in chosen))
    tracks = " and ".join(dict.fromkeys(one.track for one in chosen))
    return f"{ids[0]}, {tracks}" if len(ids) == 1 else f"{len(ids)} exercises, {tracks}"


def _run(terminal: Terminal, saves: Saves, regrader: Regrader, pending: list[Submission]) -> None:
    from grader.exercise import ExerciseError
    from grader.outcome import GraderError

    def look() -> None:
        if saved := saves.taken():
            raise Superseded(saved)

    while True:
        while not pending:
            saves.wait(TURN)
            pending = saves.taken()
        now, pending = [one for one in pending if not _tell_gone(terminal, one)], []
        if not now:
            continue
        names = ", ".join(f"{one.exercise.id} ({one.track})" for one in now)
        terminal.say(f"\nsaved: {names}", "bold")
        try:
            regrader.grade(now, look)
        except Superseded as newer:
            pending = [*newer.saved] + [one for one in now if one not in newer.saved]
            terminal.say("saved again meanwhile: starting over")
        except (ExerciseError, GraderError) as error:
            terminal.say(f"grade: {error}", "red")


def _tell_gone(terminal: Terminal, one: Submission) -> bool:
    """Whether files are missing, which is said: there is nothing to grade."""
    if one.missing:
        terminal.say(f"\n{one.exercise.id} ({one.track}): {one.lack}", "bold")
    return bool(one.missing)
