"""`grade new`: the folder of an exercise of your own, which already runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grader.commands.options import one_of

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

CODE = ("cuda", "triton")
"""The tracks that the template has."""


@app.command(epilog="Examples: grade new level3 my_exercise · grade new level1 leaky_relu --drill --track cuda")
def new(
    level: Annotated[str | None, typer.Argument(help="level1 to level8.", metavar="LEVEL")] = None,
    name: Annotated[
        str | None, typer.Argument(help="Small letters, digits and _.", metavar="NAME", show_default=False)
    ] = None,
    drill: Annotated[bool, typer.Option("--drill", help="A drill, not a numbered rung.", metavar="")] = False,
    track: Annotated[
        str | None,
        typer.Option(help="Only this track; both by default.", metavar="|".join(CODE), callback=one_of(*CODE)),
    ] = None,
) -> None:
    """Begin an exercise: task, reference, solution, stubs and mutants of out = 2 * x, which `grade check` finds in
    order as they are. Then make it yours, file by file.
    """
    from grader import discover
    from grader.commands.learner import Terminal
    from grader.scaffold import plan, write

    if level is None or name is None:
        raise discover.TargetError("which level, and which name? For example: grade new level3 my_exercise")
    root = discover.find_root(Path.cwd())
    files = plan(root, level, name, drill, [track] if track else list(CODE))
    old = {path for path in files if path.exists()}
    write(files)
    terminal = Terminal()
    for path in files:
        terminal.say(f"{'changed' if path in old else 'written'}: {path.relative_to(root).as_posix()}")
    terminal.say("\nit runs as it is: out = 2 * x. Make it yours in this order (CONTRIBUTING.md says how):")
    terminal.say("  exercise.toml, reference.py, the solution, mutants, README.md, its row in the level's README.md")
    terminal.say(f"after each change of the solution: python scripts/make_stubs.py {name}")
    terminal.say(f"whether all is well, now and at any time: grade check {name}")
