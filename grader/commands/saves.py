"""Notices which of the learner's files were saved."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

import watchfiles

from grader.exercise import Submission
from grader.outcome import GraderError
from grader.progress import fingerprint

STEP = 50
"""Milliseconds without another change after which a save counts as done."""

LONGEST = 300
"""Milliseconds after which it does in any case."""

START = 10.0
"""Seconds in which the system must have begun to watch."""


class Saves(AbstractContextManager["Saves"]):
    """Watches the folders of `submissions` for as long as its context lasts. Raises GraderError.

    Folders, not files, for most editors put a new file in the old one's place; and contents, not times, so that a
    save that changes nothing is none.
    """

    def __init__(self, submissions: Sequence[Submission]) -> None:
        self._submissions = list(submissions)
        self._known: list[str] = []
        self._stop, self._ready, self._touched = threading.Event(), threading.Event(), threading.Event()
        self._trouble = ""
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def taken(self) -> list[Submission]:
        """Those that have changed since they were last taken, or since the beginning."""
        if self._trouble:
            raise GraderError(f"saves go unnoticed: {self._trouble}; grade by name instead: grade EXERCISE")
        if not self._touched.is_set():
            return []
        self._touched.clear()
        known, self._known = self._known, list(map(fingerprint, self._submissions))
        pairs = zip(self._submissions, known, self._known, strict=True)
        return [one for one, before, after in pairs if before != after]

    def settle(self) -> None:
        """Take what the files hold now as known: it was not the learner who changed them."""
        self._known = list(map(fingerprint, self._submissions))

    def wait(self, seconds: float) -> None:
        """Wait that long, or until something was saved."""
        self._touched.wait(seconds)

    def _watch(self) -> None:
        folders = sorted({one.folder for one in self._submissions})
        try:
            for changes in watchfiles.watch(
                *folders,
                step=STEP,
                debounce=LONGEST,
                rust_timeout=100,
                yield_on_timeout=True,  # with nothing: how it is known to have begun
                stop_event=self._stop,
                raise_interrupt=False,
                recursive=False,
            ):
                self._ready.set()
                if changes:
                    self._touched.set()
        except (OSError, RuntimeError) as error:
            self._trouble = str(error)
        self._ready.set()

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(START)
        self.settle()
        return self

    def __exit__(self, kind: object, value: object, trace: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join(1)
