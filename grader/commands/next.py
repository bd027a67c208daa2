"""`grade next`: the exercise to go on with, from where the learner is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from grader.commands.options import TrackOption
from grader.discover import slug_of

if TYPE_CHECKING:
    from grader.way import Way

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(epilog="Examples: grade next · grade next --track triton. All of them: grade list")
def next_(track: TrackOption = None) -> None:
    """Say which exercise comes next: the one you attempted last until it is solved, then on along the roadmap.

    The roadmap is the levels, in the order of each one's lesson. An exercise that is solved in one track is behind
    you; with --track only that track counts.
    """
    from grader import discover
    from grader.commands.learner import Terminal, open_journal, tell_where
    from grader.way import way

    root = discover.find_root(Path.cwd())
    by_id = {one.id: one for one in discover.select(root, ["all"])}
    path = discover.submissions([by_id[one] for one in discover.roadmap(root)], root / "levels", track)
    _, progress = open_journal(root)
    standings = progress.standings(path)
    ahead = way(standings, progress.here(track))
    option = f" --track {track}" if track else ""
    terminal = Terminal()
    if not ahead.current:
        terminal.say(f"all {len(standings)} exercises are solved{f' in {track}' if track else ''}", "bold green")
        terminal.say("see them: grade list; a solution to compare with: grade solution EXERCISE")
        return
    exercise = by_id[ahead.current]
    terminal.say(f"{exercise.id}: {exercise.title}, {exercise.concept}", "bold")
    if ahead.here:
        terminal.say(_why(ahead), "dim")
    level = discover.level_of(exercise.id)
    if not any(one.attempts for name, each in standings.items() if discover.level_of(name) == level for one in each):
        terminal.say(f"a new level: read its lesson first, levels/{level}/README.md")
    tell_where(terminal, standings[exercise.id])
    terminal.say(f"read it: grade show {exercise.slug}; fill in the TODOs; then: grade {exercise.slug}{option}")
    behind = len(standings) - len(ahead.later) - len(ahead.skipped) - 1
    after = f"; after it comes {ahead.following}" if ahead.following else ""
    terminal.say(f"{behind} of {len(standings)} solved{after}", "dim")


def _why(ahead: Way) -> str:
    """Why it is this one, and what was left out on the way here."""
    why = "where you were last, and not solved yet"
    if ahead.current != ahead.here:
        why = f"you were last at {ahead.here}, which is solved"
    if not ahead.skipped:
        return why
    count = len(ahead.skipped)
    first = slug_of(ahead.skipped[0])
    return f"{why}; not solved before it: {count}; to go back: grade show {first}"
