"""`grade next`: the first exercise on the roadmap that is not solved yet."""

from __future__ import annotations

from pathlib import Path

import typer

from grader.commands.options import TrackOption

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(epilog="Examples: grade next · grade next --track triton. All of them: grade list")
def next_(track: TrackOption = None) -> None:
    """Say which exercise comes next: level by level, in the order of each level's lesson.

    An exercise that is solved in one track is behind you; with --track only that track counts.
    """
    from grader import discover
    from grader.commands.learner import Terminal, open_journal, tell_where

    root = discover.find_root(Path.cwd())
    by_id = {one.id: one for one in discover.select(root, ["all"])}
    path = discover.submissions([by_id[one] for one in discover.roadmap(root)], root / "levels", track)
    _, progress = open_journal(root)
    standings = progress.standings(path)
    open_ones = [name for name, row in standings.items() if not any(one.solved for one in row)]
    option = f" --track {track}" if track else ""
    terminal = Terminal()
    if not open_ones:
        terminal.say(f"all {len(standings)} exercises are solved{f' in {track}' if track else ''}", "bold green")
        terminal.say("see them: grade list; a solution to compare with: grade solution EXERCISE")
        return
    first, *rest = open_ones
    row, exercise = standings[first], by_id[first]
    terminal.say(f"{first}: {exercise.title}, {exercise.concept}", "bold")
    level = discover.level_of(first)
    if not any(one.attempts for name, each in standings.items() if discover.level_of(name) == level for one in each):
        terminal.say(f"a new level: read its lesson first, levels/{level}/README.md")
    tell_where(terminal, row)
    terminal.say(f"read it: grade show {exercise.slug}; fill in the TODOs; then: grade {exercise.slug}{option}")
    behind = len(standings) - len(open_ones)
    after = f"; after it comes {rest[0]}" if rest else ""
    terminal.say(f"{behind} of {len(standings)} solved{after}", "dim")
