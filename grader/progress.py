"""What the learner has done so far, read from the journal, and how a grading run gets into it."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grader.attempt import Attempt, of_entry, of_verdict
from grader.exercise import Exercise, Submission
from grader.journal import Entry, Journal, JournalError
from grader.outcome import Verdict
from grader.pristine import keep

RANKS = ("inconclusive", "failed", "correct (not timed)", "slow", "pass", "good", "great")
"""Grades from worst to best. Slow counts for more than not timed: it is right as well, and was measured."""

NOT_STARTED, NOT_GRADED = "not started", "not graded"
"""What is said of files that were never graded: a TODO is still there, or none is."""


@dataclass(frozen=True)
class Standing:
    """Where one track of one exercise stands, by its attempts since it was last reset, oldest first."""

    submission: Submission
    attempts: tuple[Attempt, ...]

    @property
    def last(self) -> Attempt | None:
        return self.attempts[-1] if self.attempts else None

    @property
    def best(self) -> Attempt | None:
        """The attempt with the best grade; of equal ones the fastest, and of those the latest."""
        order = [(RANKS.index(one.grade), one.ratio or 0.0, n) for n, one in enumerate(self.attempts)]
        return self.attempts[max(order)[2]] if order else None

    @property
    def state(self) -> str:
        """The best grade, once it was right; before that the last; NOT_STARTED or NOT_GRADED before the first."""
        if self.best is None or self.last is None:
            return NOT_STARTED if self.submission.todos or self.submission.missing else NOT_GRADED
        return self.best.grade if RANKS.index(self.best.grade) > RANKS.index("failed") else self.last.grade

    @property
    def solved(self) -> bool:
        return self.best is not None and self.best.passed

    @property
    def waits(self) -> bool:
        """Whether there is something that was never graded: an edit, or files without any TODO."""
        return self.edited or self.state == NOT_GRADED

    @property
    def edited(self) -> bool:
        """Whether the files are no longer those of the last attempt."""
        return self.last is not None and self.last.source != fingerprint(self.submission)


class Progress:
    """Everything that the journal says. Raises JournalError."""

    def __init__(self, journal: Journal) -> None:
        self._attempts: dict[tuple[str, str], list[Attempt]] = {}
        self._since: dict[tuple[str, str], int] = {}
        self._hints: dict[tuple[str, str], int] = {}
        self._trail: list[tuple[str, str]] = []
        for entry in journal.read():
            self._take(entry)

    def attempts(self, submission: Submission) -> Sequence[Attempt]:
        """All attempts at it, oldest first, also those before a reset."""
        return self._attempts.get(_key(submission), [])

    def standing(self, submission: Submission) -> Standing:
        """Where it stands since it was last reset."""
        since = self._since.get(_key(submission), 0)
        return Standing(submission, tuple(self.attempts(submission)[since:]))

    def standings(self, submissions: Sequence[Submission]) -> Mapping[str, list[Standing]]:
        """Where each stands, by the exercise's id, in the order of `submissions`."""
        found: dict[str, list[Standing]] = {}
        for one in submissions:
            found.setdefault(one.exercise.id, []).append(self.standing(one))
        return found

    def was_solved(self, submission: Submission) -> bool:
        """Whether it ever passed, be it before a reset."""
        return any(attempt.passed for attempt in self.attempts(submission))

    def hints(self, exercise: Exercise, track: str) -> int:
        """How many of its hints have been shown, of those for `track` or, where that is "", of all."""
        return self._hints.get((exercise.id, track), 0)

    def here(self, track: str | None = None) -> str:
        """The id of the exercise that was last attempted, in `track` if given, or gone to; "" before the first."""
        return next((one for one, which in reversed(self._trail) if not (track and which) or which == track), "")

    def last_track(self, exercise: Exercise) -> str:
        """The track of the last attempt at the exercise, else of the last at any, if this one has it; else ""."""
        mine = [track for one, track in self._trail if one == exercise.id and track]
        every = [track for _, track in self._trail if track in exercise.tracks]
        return (mine or every or [""])[-1]

    def _take(self, entry: Entry) -> None:
        key = (entry["exercise"], str(entry.get("track")))
        if entry["event"] == "attempt" and entry.get("grade") in RANKS:
            self._attempts.setdefault(key, []).append(of_entry(entry))
            self._trail.append(key)
        elif entry["event"] == "moved":
            self._trail.append((entry["exercise"], ""))
        elif entry["event"] == "reset":
            self._since[key] = len(self._attempts.get(key, ()))
        elif entry["event"] == "hint" and isinstance(entry.get("shown"), int):
            seen = entry["exercise"], str(entry.get("track") or "")
            self._hints[seen] = max(entry["shown"], self._hints.get(seen, 0))


class Recorder:
    """Writes the verdicts on the learner's own files into the journal; files that nobody has touched are no attempt,
    but kept for `grade reset`. A journal that cannot be written spoils no grading: it is a note in `journal.notes`.
    """

    def __init__(
        self, journal: Journal, submissions: Sequence[Submission], device: Mapping[str, Any], seed: int
    ) -> None:
        self.journal = journal
        self._device, self._seed = device, seed
        self._submissions = {_key(one): one for one in submissions}
        self._sources = {_key(one): fingerprint(one) for one in submissions}
        self._works = True

    def record(self, verdict: Verdict) -> None:
        """Add the verdict to the journal."""
        if not self._works:
            return
        try:
            if verdict.grade in RANKS:
                key = verdict.exercise, verdict.track
                attempt = of_verdict(verdict, self._submissions[key], self._sources[key], self._device, self._seed)
                self.journal.append({"event": "attempt", **asdict(attempt)})
            else:
                keep(self.journal.root, self._submissions[verdict.exercise, verdict.track])
        except (JournalError, OSError) as error:
            self._works = False
            self.journal.notes.append(f"your progress was not recorded: {error}")


def fingerprint(submission: Submission) -> str:
    """A hash of the files of a track, 16 hexadecimal digits; one that cannot be read counts as empty."""
    digest = hashlib.blake2b(digest_size=8)
    for path in submission.files:
        text = b""
        with contextlib.suppress(OSError):
            text = path.read_bytes()
        digest.update(f"{path.name} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def own_tree(root: Path, tree: Path) -> bool:
    """Whether the files below `tree` are the learner's own, whose progress is kept, and nobody else's."""
    return tree.resolve() == (root / "levels").resolve()


def _key(submission: Submission) -> tuple[str, str]:
    return submission.exercise.id, submission.track
