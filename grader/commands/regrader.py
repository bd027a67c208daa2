"""Grades again and again in one process: torch is imported once, so that a save is graded at once."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from grader.commands.learner import next_command, tell_notes
from grader.exercise import Submission
from grader.journal import Journal
from grader.outcome import Verdict
from grader.progress import Recorder
from grader.report import Screen
from grader.sandbox import Zygote

if TYPE_CHECKING:
    from rich.console import RenderableType

    from grader.backends import Backend


class Regrader(AbstractContextManager["Regrader"]):
    """Grades the learner's own files below `root` as often as asked, each time with fresh inputs in fresh workers."""

    def __init__(self, root: Path, backend: Backend) -> None:
        self.journal = Journal(root)
        self._root, self._backend = root, backend
        self._zygote = Zygote(backend.environment())
        self._device: dict[str, Any] = {}
        self._warming = threading.Thread(target=self._warm, daemon=True)

    def warm(self) -> dict[str, Any]:
        """Wait until grading could begin at once; the device."""
        self._warming.join()
        return self._device or self._backend.describe()

    def grade(
        self,
        chosen: Sequence[Submission],
        look: Callable[[], None],
        below: RenderableType | None = None,
        then: str | None = None,
    ) -> list[Verdict]:
        """Grade, report and remember. `look` is called many times a second meanwhile: what it raises ends the run.
        `below` stays under the progress, `then` is the command to name at the end. Raises ExerciseError, GraderError.
        """
        device, seed = self.warm(), secrets.randbits(32)
        from grader.runner import Runner

        self._zygote.resume()
        verdicts: list[Verdict] = []
        with Screen(chosen, False, False, below) as screen:
            recorder = Recorder(self.journal, chosen, device, seed)
            for verdict in Runner(self._zygote, self._backend, root=self._root, seed=seed).run(
                chosen, screen.working, look
            ):
                verdicts.append(verdict)
                screen.verdict(verdict)
                recorder.record(verdict)
        screen.failures(verdicts, seed, "")
        screen.remarks(verdicts)
        screen.advice(verdicts)
        screen.totals(verdicts, len(chosen), next_command(verdicts) if then is None else then)
        tell_notes(self.journal)
        self.journal.notes.clear()
        return verdicts

    def _warm(self) -> None:
        from grader.outcome import GraderError

        try:
            self._device = self._backend.describe()  # imports torch, as the zygote does meanwhile
        except GraderError:  # said by whoever asks for the device
            return
        import grader.runner  # noqa: F401

    def __enter__(self) -> Self:
        self._warming.start()
        return self

    def __exit__(self, kind: object, value: object, trace: TracebackType | None) -> None:
        self._zygote.__exit__(kind, value, trace)
