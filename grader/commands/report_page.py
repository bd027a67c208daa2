"""The report as a page: what the template report.html is given, and the template filled in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from grader.attempt import Attempt
from grader.commands.learner import local
from grader.commands.report_history import History, history
from grader.commands.report_kernel import Kernel
from grader.commands.report_roofline import rooflines
from grader.discover import level_of
from grader.exercise import Exercise
from grader.outcome import GRADES
from grader.page import level_title
from grader.progress import NOT_GRADED, Progress, Standing

SIGNS: Mapping[str, str] = {"failed": "✗", "slow": "◐", "inconclusive": "?", NOT_GRADED: "○", "not started": "○"}
"""Beside a grade, for who cannot tell its colour; all others are passed."""

PASSED = "✓"

KINDS: Mapping[str, str] = {"failed": "bad", "slow": "warn", "inconclusive": "warn", NOT_GRADED: "idle"}
"""The template's class of a grade; "idle" is not begun, all others are good."""

SHOWN = 20
"""Attempts of a track that are listed; `grade log` has all of them."""


@dataclass(frozen=True)
class Track:
    """One track of one exercise. `findings` are those of the last attempt, `code` tells which were kept with it."""

    standing: Standing
    attempts: Sequence[Attempt]
    picture: History | None

    @property
    def name(self) -> str:
        return self.standing.submission.track

    @property
    def state(self) -> str:
        return self.standing.state

    @property
    def ratio(self) -> str:
        best = self.standing.best
        return f"{best.ratio:.2f}x" if best and best.ratio and best.grade == self.state else ""

    @property
    def findings(self) -> Sequence[Mapping[str, str]]:
        last = self.standing.last
        return last.findings if last else ()

    @property
    def listed(self) -> Sequence[Attempt]:
        """The latest first."""
        return self.attempts[: -SHOWN - 1 : -1]


@dataclass(frozen=True)
class Row:
    """One exercise; it has a story of its own on the page once there is an attempt."""

    exercise: Exercise
    tracks: Sequence[Track]

    @property
    def anchor(self) -> str:
        return anchor(self.exercise)

    @property
    def number(self) -> str:
        return "" if self.exercise.is_drill else self.exercise.folder.name.partition("_")[0].lstrip("0")

    @property
    def solved(self) -> bool:
        return any(one.standing.solved for one in self.tracks)

    @property
    def begun(self) -> bool:
        return any(one.attempts for one in self.tracks)


@dataclass(frozen=True)
class Level:
    """A level with its exercises in the order of the lesson."""

    name: str
    title: str
    rows: Sequence[Row]

    @property
    def solved(self) -> int:
        return sum(row.solved for row in self.rows)


def render(root: Path, standings: Mapping[str, Sequence[Standing]], progress: Progress) -> str:
    """The whole page, with nothing that would have to be loaded."""
    rows = [_row(row, progress) for row in standings.values()]
    levels = [
        Level(name, level_title(root / "levels" / name), list(mine))
        for name, mine in groupby(rows, key=lambda row: level_of(row.exercise.id))
    ]
    kernels = [
        Kernel(row.exercise, _telling(track))
        for row in rows
        for track in row.tracks
        if track.standing.solved and track.name != "answer"
    ]
    environment = Environment(
        loader=PackageLoader("grader.commands", "."), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters |= {"local": local, "anchor": anchor, "sign": sign, "kind": kind, "sentence": _sentence}
    return environment.get_template("report.html").render(
        levels=levels,
        rows=rows,
        counts=_counts(rows),
        kernels=kernels,
        rooflines=rooflines(kernels),
        when=local(datetime.now(UTC).isoformat()),
        last=max((one.when for row in rows for track in row.tracks for one in track.attempts), default=""),
    )


def anchor(exercise: Exercise) -> str:
    return exercise.id.replace("/", "-")


def sign(state: str) -> str:
    return SIGNS.get(state, PASSED)


def kind(state: str) -> str:
    return "idle" if state == "not started" else KINDS.get(state, "good")


def _row(standings: Sequence[Standing], progress: Progress) -> Row:
    exercise = standings[0].submission.exercise
    tracks = []
    for one in standings:
        attempts = progress.attempts(one.submission)
        goals = exercise.goals.get(one.submission.track)
        tracks.append(Track(one, attempts, history(attempts, goals) if attempts else None))
    return Row(exercise, tracks)


def _telling(track: Track) -> Attempt:
    """The attempt of a solved track that says most of its speed: the best, or the latest that has figures at all."""
    passed = [one for one in track.standing.attempts if one.passed and one.bytes]
    best = track.standing.best or track.attempts[-1]
    return best if best.bytes or not passed else passed[-1]


def _counts(rows: Sequence[Row]) -> Sequence[tuple[str, int]]:
    """How many tracks have each grade, the best first."""
    counts = Counter(track.state for row in rows for track in row.tracks)
    return [(state, counts[state]) for state in (*reversed(GRADES), NOT_GRADED) if counts[state]]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
