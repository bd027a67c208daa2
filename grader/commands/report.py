"""`grade report`: all that the journal says, on one page for a browser."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from grader.journal import Journal
    from grader.reportfiles import ReportFile

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
    from grader.reportfiles import ReportFile

    if not html:
        raise discover.TargetError(f"in which form? As a page for a browser: grade report --html{_given(file)}")
    root = discover.find_root(Path.cwd())
    target = ReportFile("--html", file) if file is not None else None  # refused before anything is made
    journal, progress = open_journal(root)
    exercises = {one.id: one for one in discover.select(root, ["all"])}
    ordered = [exercises[one] for one in discover.roadmap(root)]
    page = render(root, progress.standings(discover.submissions(ordered, root / "levels", None)), progress)
    target = target or _own(journal)
    target.write(page)
    if file == "-":
        return
    path = Path(target.target)
    terminal = Terminal()
    terminal.say(f"written: {os.path.relpath(path)}; to look at it, open {path.resolve().as_uri()}", "bold")
    terminal.say("next: grade next")


def _given(file: str | None) -> str:
    return f" {file}" if file else ""


def _own(journal: Journal) -> ReportFile:
    """The page's place in the journal's folder. Raises GraderError where that cannot be made."""
    from grader.outcome import GraderError
    from grader.reportfiles import ReportFile

    try:
        journal.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GraderError(f"cannot write {journal.folder}: {error.strerror}") from None
    return ReportFile("--html", str(journal.folder / FILE))
