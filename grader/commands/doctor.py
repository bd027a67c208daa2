"""`grade doctor`: what this machine has, what it lacks, and what mends it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from grader.commands.learner import Terminal

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

OK, LACK, BROKEN = "ok", "lack", "broken"
COLOURS = {OK: "green", LACK: "yellow", BROKEN: "bold red"}


@dataclass(frozen=True)
class Check:
    """What was found of one thing. `costs` and `remedy` are for a lack or a fault."""

    name: str
    state: str
    text: str
    costs: str = ""
    remedy: str = ""


@app.command(epilog="Example: grade doctor. Then: grade next")
def doctor() -> None:
    """Check GPU, driver, CUDA, torch, Triton, CuPy, NVRTC, whether they fit each other, and NVIDIA's tools.

    For each lack: what it costs, and the command that mends it. Exit code 1 only where something is broken.
    """
    from grader import discover
    from grader.commands.learner import Terminal
    from grader.outcome import GraderError

    root = discover.find_root(Path.cwd())
    terminal = Terminal()
    found = []
    try:
        from grader.commands.doctor_checks import checks

        for check in checks(root):
            found.append(check)
            _show(terminal, check)
    except ImportError as error:  # what the checks themselves stand on
        raise GraderError(f"{error}: the grader cannot do without it; to install it: pip install -e .") from None
    broken, lacks = ([check.name for check in found if check.state == state] for state in (BROKEN, LACK))
    if broken:
        terminal.say(f"\nbroken: {', '.join(broken)}; mend that, then: grade doctor", "bold red")
        raise typer.Exit(1)
    less = f" ({', '.join(lacks)}: you can do without)" if lacks else ""
    terminal.say(f"\nnothing is broken{less}; next: grade next")


def _show(terminal: Terminal, check: Check) -> None:
    from rich.markup import escape

    colour = COLOURS[check.state]
    rows = [(f"[{colour}]{check.state.ljust(6)}[/]", check.name.ljust(17), escape(check.text))]
    more = (("costs", check.costs), ("mend", check.remedy))
    terminal.rows(rows + [(" " * 6, label.rjust(17), f"[dim]{escape(text)}[/]") for label, text in more if text])
