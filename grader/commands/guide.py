"""A bare `grade`: the guided mode. One exercise at a time, graded on each save; every step further is a key's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from grader import discover
from grader.attempt import now
from grader.commands.hint import hint
from grader.commands.keys import END, Keys
from grader.commands.learner import Terminal, open_journal, state, tell_where, write
from grader.commands.list import list_
from grader.commands.next import next_
from grader.commands.regrader import Regrader
from grader.commands.reset import reset
from grader.commands.saves import Saves
from grader.exercise import Exercise, ExerciseError, Submission
from grader.outcome import GraderError
from grader.page import read_page, section
from grader.progress import Standing
from grader.way import Way, way

if TYPE_CHECKING:
    from grader.backends import Backend

KEYS: Mapping[str, str] = {"h": "hint", "l": "list", "r": "reset", "n": "next", "q": "quit"}

TURN = 0.05
"""Seconds between two looks at keys and saves."""

BAR = 24
"""Characters of the bar of what is solved."""


class Interrupted(Exception):
    """A key or a save that a running grading gives way to."""


class Left(Exception):
    """The learner has had enough."""


def tell_piped(track: str | None) -> None:
    """What a bare `grade` says where there is no terminal to guide anybody on."""
    next_(track)
    Terminal().say("on a terminal, grade alone guides you through it: each save is graded, keys give hints")


class Guide:
    """The guided mode on the terminal. Raises GraderError, ExerciseError, TargetError."""

    def __init__(self, root: Path, backend: Backend, track: str | None) -> None:
        self.root, self.backend, self.track = root, backend, track
        self.terminal = Terminal()
        self.exercises = {one.id: one for one in discover.select(root, ["all"])}
        path = [self.exercises[one] for one in discover.roadmap(root)]
        self.submissions = discover.submissions(path, root / "levels", track)
        self.look_up()
        self.current = self.way.current
        self.queue: list[str] = []

    def look_up(self) -> None:
        """Read anew where everything stands."""
        self.journal, progress = open_journal(self.root)
        self.standings = progress.standings(self.submissions)
        self.way: Way = way(self.standings, progress.here(self.track))

    def run(self) -> None:
        """Guide until the learner leaves."""
        if not self.current:
            next_(self.track)
            return
        try:
            with Keys() as keys, Regrader(self.root, self.backend) as regrader:
                self.keys, self.regrader = keys, regrader
                while True:
                    self._stay()
        except (KeyboardInterrupt, Left):
            self.terminal.say("go on at any time: grade")

    @property
    def exercise(self) -> Exercise:
        return self.exercises[self.current]

    @property
    def here(self) -> Sequence[Standing]:
        return self.standings[self.current]

    def _stay(self) -> None:
        """At the current exercise, until there is another."""
        at = self.current
        with Saves([one.submission for one in self.here]) as self.saves:
            self._greet()
            pending = [one.submission for one in self.here if one.waits]
            while self.current == at:
                pending = self._grade(pending) if pending else self._wait()

    def _greet(self) -> None:
        self.terminal.console.clear()
        self.terminal.say(f"{self.exercise.id}: {self.exercise.title}, {self.exercise.concept}", "bold")
        self.terminal.say()
        self.terminal.markdown(section(read_page(self.exercise), "Task"))
        self.terminal.say()
        tell_where(self.terminal, self.here)
        self.terminal.say("fill in the TODOs and save: each save is graded")

    def _wait(self) -> list[Submission]:
        """Serve keys until something is saved; what was."""
        with Live(self._footer(), console=self.terminal.console, auto_refresh=False, transient=True):
            while not self.queue:
                if saved := self.saves.taken():
                    return saved
                self._listen(TURN)
        self._serve(self.queue.pop(0))
        return []

    def _listen(self, seconds: float = 0.0) -> None:
        if key := self.keys.pressed(seconds):
            if key in ("q", END):
                raise Left
            if key in KEYS:
                self.queue.append(key)

    def _serve(self, key: str) -> None:
        slug = self.exercise.slug
        self.terminal.say()
        try:
            if key == "h":
                hint(slug, self.track, every=False, again=False)
            elif key == "l":
                list_([discover.level_of(self.current)], self.track)
            elif key == "r":
                self._reset(slug)
            elif key == "n":
                self._move()
        except (discover.TargetError, ExerciseError, GraderError) as error:
            self.terminal.say(f"grade: {error}", "red")

    def _reset(self, slug: str) -> None:
        tracks = " and ".join(one.submission.track for one in self.here)
        self.terminal.say(f"back to the stubs of {slug}, {tracks}? r once more does it, other keys do not", "bold")
        while not (key := self.keys.pressed(TURN)):
            pass
        if key == "r":
            reset(slug, self.track)
            self.saves.settle()  # a stub is nothing to grade
            self.look_up()
        else:
            self.terminal.say("nothing was reset")

    def _move(self) -> None:
        """On to the next exercise that is not solved, be this one solved or not."""
        self.look_up()
        target = self._further()
        if not target:
            self.terminal.say("no other exercise is left to solve; see them: grade list", "bold green")
            return
        write(self.journal, event="moved", exercise=target, when=now())
        self.current = target

    def _further(self) -> str:
        """The exercise that a learner goes on to from here; "" where all others are solved."""
        ahead = way(self.standings, self.current)
        return ahead.current if ahead.current != self.current else ahead.following

    def _grade(self, chosen: Sequence[Submission]) -> list[Submission]:
        """Grade; what was saved meanwhile, or is left because of a key that could not wait."""
        newer: list[Submission] = []

        def look() -> None:
            newer.extend(self.saves.taken())
            self._listen()
            if newer or "n" in self.queue:
                raise Interrupted

        self.terminal.console.clear()
        self.terminal.say(f"{self.current}, {' and '.join(one.track for one in chosen)}: saved", "bold")
        try:
            self.regrader.grade(chosen, look, below=self._footer(), then="")
        except Interrupted:
            return [*newer] + [one for one in chosen if newer and one not in newer]
        except (ExerciseError, GraderError) as error:
            self.terminal.say(f"grade: {error}", "red")
        self.look_up()
        if any(one.solved for one in self.here):
            self.terminal.say(self._solved(), "green")
        return []

    def _solved(self) -> str:
        target = self._further()
        after = f"n goes on to {target}" if target else "it was the last: all exercises are solved"
        return f"{self.exercise.slug} is solved; {after}; the reference solution: grade solution {self.exercise.slug}"

    def _footer(self) -> Group:
        """What stays in sight: where one is, how far one is, and the keys."""
        solved = sum(any(one.solved for one in row) for row in self.standings.values())
        done = round(BAR * solved / len(self.standings))
        top = Table.grid(padding=(0, 2))
        for wraps in (False, False, True):
            top.add_column(no_wrap=not wraps)
        bar = f"[green]{'━' * done}[/][dim]{'━' * (BAR - done)}[/] {solved}/{len(self.standings)} solved"
        top.add_row(bar, f"[bold]{escape(self.exercise.slug)}[/]", "; ".join(map(state, self.here)))
        keys = Text.from_markup("  ".join(f"[bold]{key}[/] {name}" for key, name in KEYS.items()))
        return Group(Rule(style="dim"), top, keys)
