"""`grade list`: where every exercise stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from grader.commands.options import TargetsArgument, TrackOption

if TYPE_CHECKING:
    from grader.commands.learner import Terminal
    from grader.progress import Standing

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(epilog="Examples: grade list · grade list level2 · grade list --track triton. Next: grade next")
def list_(
    targets: TargetsArgument = None,
    track: TrackOption = None,
) -> None:
    """Show where every exercise stands: done, correct, slow, failed or not started. Nothing is run.

    The best grade counts, once a kernel was right. "Not graded" has no TODO left and waits for its first `grade`.
    """
    from grader import discover
    from grader.commands.learner import Terminal, open_journal

    root = discover.find_root(Path.cwd())
    exercises = {one.id: one for one in discover.select(root, targets or ["all"])}
    ordered = [exercises[one] for one in discover.roadmap(root) if one in exercises]
    _, progress = open_journal(root)
    standings = progress.standings(discover.submissions(ordered, root / "levels", track))
    terminal = Terminal()
    for level in dict.fromkeys(map(discover.level_of, standings)):
        _level(terminal, root / "levels" / level, standings)
    _totals(terminal, standings)
    terminal.say("next: grade next")


def _level(terminal: Terminal, level: Path, standings: Mapping[str, Sequence[Standing]]) -> None:
    from grader.page import level_title

    here = {name: row for name, row in standings.items() if name.startswith(f"{level.name}/")}
    solved = sum(map(_is_solved, here.values()))
    terminal.say(f"{level_title(level)}: {solved} of {len(here)} solved", "bold")
    width = max(map(len, here.values()))
    terminal.rows(_row(row, width) for row in here.values())
    terminal.say()


def _row(row: Sequence[Standing], width: int) -> list[str]:
    from grader.commands.learner import state

    exercise = row[0].submission.exercise
    number = "drill" if exercise.is_drill else exercise.folder.name.partition("_")[0].lstrip("0").rjust(5)
    return [number, exercise.slug, *map(state, row), *[""] * (width - len(row))]


def _totals(terminal: Terminal, standings: Mapping[str, Sequence[Standing]]) -> None:
    from grader.outcome import GRADES
    from grader.progress import NOT_GRADED

    counts = Counter(one.state for row in standings.values() for one in row)
    order = [*reversed(GRADES), NOT_GRADED]
    parts = ", ".join(f"{counts[state]} {state}" for state in order if counts[state])
    solved = sum(map(_is_solved, standings.values()))
    terminal.say(f"{solved} of {len(standings)} exercises solved; of the tracks {parts}")


def _is_solved(row: Sequence[Standing]) -> bool:
    return any(one.solved for one in row)
