"""`grade report`: all that the journal says, on one page for a browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from grader.commands.options import check_report

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

FILE = "report.html"
"""Where the page lies unless told otherwise, in the journal's folder, which git ignores."""


@app.command(epilog="Examples: grade report --html · grade report --html progress.html. Next: grade next")
def report(
    html: Annotated[bool, typer.Option("--html", help="Write the page.", metavar="")] = False,
    file: Annotated[
        str | None,
        typer.Argument(
            help="Where to (- is stdout); .kernel-ladder/report.html if left out.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Write one page of where you stand: grades, each exercise's attempts, the roofline, what was found in your code.

    It needs no network and no server: open it, print it, or send it to somebody. Nothing is run.
    """
    from grader import discover
    from grader.commands.learner import Terminal, open_journal
    from grader.commands.report_page import render

    if not html:
        raise discover.TargetError(f"in which form? As a page for a browser: grade report --html{_given(file)}")
    root = discover.find_root(Path.cwd())
    check_report(file, "--html")
    journal, progress = open_journal(root)
    exercises = {one.id: one for one in discover.select(root, ["all"])}
    ordered = [exercises[one] for one in discover.roadmap(root)]
    page = render(root, progress.standings(discover.submissions(ordered, root / "levels", None)), progress)
    if file == "-":
        sys.stdout.write(page)
        return
    path = Path(file) if file else journal.folder / FILE
    _write(path, page)
    terminal = Terminal()
    terminal.say(f"written: {os.path.relpath(path)}; to look at it, open {path.resolve().as_uri()}", "bold")
    terminal.say("next: grade next")


def _given(file: str | None) -> str:
    return f" {file}" if file else ""


def _write(path: Path, text: str) -> None:
    """Put the page there whole, or leave what was there. Raises GraderError."""
    from grader.outcome import GraderError

    in_place = path.exists() and not path.is_file()  # a device, say
    partial = path if in_place else path.with_name(f"{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, encoding="utf-8")
        if not in_place:
            partial.replace(path)
    except OSError as error:
        raise GraderError(f"cannot write {path}: {error.strerror}") from None
