"""What the learner's commands share: opening the journal, printing, and how they say where an exercise stands."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from grader.discover import slug_of, submissions
from grader.exercise import Exercise, Submission
from grader.journal import Journal, JournalError
from grader.outcome import GraderError, Verdict
from grader.progress import NOT_GRADED, NOT_STARTED, Progress, Standing

COLOURS = {NOT_STARTED: "dim", NOT_GRADED: "cyan", "failed": "bold red", "slow": "yellow", "inconclusive": "yellow"}
"""Of states; all others are green."""


class Terminal:
    """Prints for people, and for a pipe the same without colour and without line breaks of its own."""

    def __init__(self) -> None:
        self.console = Console(highlight=False, soft_wrap=not sys.stdout.isatty())

    def say(self, text: str = "", style: str = "") -> None:
        """One line, as it is: a command or a path in it can be copied whole."""
        self.console.print(escape(text), style=style, soft_wrap=True)

    def markdown(self, text: str) -> None:
        """Markdown, rendered on a terminal; as it is for a pipe."""
        if not self.console.is_terminal:
            self.say(text)
            return
        from rich.markdown import Markdown

        self.console.print(Markdown(text, code_theme="ansi_dark"))

    def rows(self, rows: Iterable[Sequence[str]], headings: Sequence[str] = ()) -> None:
        """Cells one below the other; they may hold markup. On a terminal the last column folds within itself."""
        cells = [list(row) for row in rows]
        table = Table(*headings, box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=bool(headings))
        if self.console.is_terminal:
            for _ in range(0 if headings else max(map(len, cells), default=0)):
                table.add_column(no_wrap=True)
            for column in table.columns[:-1]:
                column.no_wrap = True
            if table.columns:
                table.columns[-1].no_wrap, table.columns[-1].overflow = False, "fold"
            for row in cells:
                table.add_row(*row)
            self.console.print(table)
            return
        from rich.text import Text

        plain = [
            [Text.from_markup(cell).plain for cell in row] for row in ([list(headings)] if headings else []) + cells
        ]
        widths = [max(map(len, column)) for column in zip(*plain, strict=True)]
        for row in plain:
            line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            self.say(line.rstrip())


def open_journal(root: Path) -> tuple[Journal, Progress]:
    """The journal and what it says; what is wrong with it goes to standard error. Raises GraderError."""
    journal = Journal(root)
    try:
        progress = Progress(journal)
    except JournalError as error:
        raise GraderError(str(error)) from None
    tell_notes(journal)
    return journal, progress


def write(journal: Journal, **entry: object) -> None:
    """Add an entry; a journal that cannot be written is a note, for what was asked for is done."""
    told = len(journal.notes)
    try:
        journal.append(entry)
    except JournalError as error:
        journal.notes.append(f"this is not remembered: {error}")
    tell_notes(journal, told)


def tell_notes(journal: Journal, since: int = 0) -> None:
    """Say on standard error what the learner must know of the journal."""
    for note in journal.notes[since:]:
        print(f"grade: {note}", file=sys.stderr)


def own(root: Path, exercise: Exercise, track: str | None) -> list[Submission]:
    """The learner's files for an exercise, those of each of its tracks or of one. Raises TargetError."""
    return submissions([exercise], root / "levels", track)


def state(standing: Standing) -> str:
    """ "triton great (1.02x)" with its colour, as markup."""
    best = standing.best
    ratio = f" ({best.ratio:.2f}x)" if best and best.ratio and standing.state == best.grade else ""
    edited = ", edited since" if standing.edited else ""
    colour = COLOURS.get(standing.state, "green")
    return f"{standing.submission.track} [{colour}]{standing.state}{ratio}[/]{edited}"


def tell_where(terminal: Terminal, standings: Sequence[Standing]) -> None:
    """The paths of an exercise's page and files, and where each track stands."""
    exercise = standings[0].submission.exercise
    terminal.rows(
        [
            ("task", f"levels/{exercise.id}/README.md"),
            *(
                (one.submission.track, escape(", ".join(one.submission.shown(path) for path in one.submission.files)))
                for one in standings
            ),
            ("state", "; ".join(map(state, standings))),
        ]
    )


def next_command(verdicts: Sequence[Verdict]) -> str:
    """What to do after a run: a hint for what failed or is slow; else go on, or see the task of what is not begun."""
    for grade, command in (("failed", "hint"), ("slow", "hint")):
        for verdict in verdicts:
            if verdict.grade == grade:
                return f"grade {command} {slug_of(verdict.exercise)}"
    begun = any(verdict.grade != NOT_STARTED for verdict in verdicts)
    return "grade next" if begun or not verdicts else f"grade show {slug_of(verdicts[0].exercise)}"


def local(when: str) -> str:
    """A moment of the journal on the clock of this place, to the minute; as it is where it cannot be read."""
    try:
        return f"{datetime.fromisoformat(when).astimezone():%Y-%m-%d %H:%M}"
    except ValueError:
        return when
