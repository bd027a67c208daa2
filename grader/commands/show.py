"""`grade show`: an exercise's task, its files and where it stands."""

from __future__ import annotations

from pathlib import Path

import typer

from grader.commands.options import ExerciseArgument, TrackOption, one_exercise

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(epilog="Example: grade show vector_add. When stuck: grade hint vector_add")
def show(target: ExerciseArgument = None, track: TrackOption = None) -> None:
    """Show an exercise's task, the files to fill in, and where they stand. The page has more: picture, measure."""
    from grader import discover
    from grader.commands.learner import Terminal, open_journal, own, tell_where
    from grader.page import read_page, section

    root = discover.find_root(Path.cwd())
    exercise = one_exercise(root, target, "show")
    mine = own(root, exercise, track)
    page = read_page(exercise)
    _, progress = open_journal(root)
    terminal = Terminal()
    terminal.say(f"{exercise.id}: {exercise.title}, {exercise.concept}", "bold")
    terminal.say()
    terminal.markdown(section(page, "Task"))
    terminal.say()
    tell_where(terminal, [progress.standing(one) for one in mine])
    option = f" --track {track}" if track else ""
    terminal.say(f"grade it: grade {exercise.slug}{option}; stuck: grade hint {exercise.slug}")
