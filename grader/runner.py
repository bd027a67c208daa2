"""Grades submissions: one fresh worker for each, several at a time where no GPU is shared."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

import grader
from grader.backends import Backend
from grader.contract import Contract, load_contract
from grader.dialogue import load
from grader.examiner import Examined, Examiner, Implementation
from grader.exercise import Exercise, Submission
from grader.hidden import judge_hidden
from grader.judge import Judge
from grader.outcome import Outcome, Status, Verdict
from grader.sandbox import Zygote
from grader.verdict import judge_outcome

if TYPE_CHECKING:
    from grader.bench import Bench

DEADLINE = 20.0
"""Seconds that loading a submission, or one call of solve(), may take."""

Progress = Callable[[Submission, str], None]


def _silent(submission: Submission, text: str) -> None:
    pass


def _undisturbed() -> None:
    pass


def protected(root: Path) -> tuple[Path, ...]:
    """What no submission may change: the grader, and the exercises below `root`."""
    return Path(grader.__file__).parent, root / "levels"


class Runner:
    """Grades submissions on one backend, with workers from `zygote`."""

    def __init__(
        self, zygote: Zygote, backend: Backend, *, root: Path, seed: int, deadline: float = DEADLINE
    ) -> None:
        self.backend, self.seed, self.deadline = backend, seed, deadline
        self.zygote = zygote
        self._protected = protected(root)
        self._contracts: dict[str, Contract] = {}
        self._examined: dict[Implementation, Examined] = {}
        self._bench = _bench(backend)
        self._jobs = 1 if backend.torch_device == "cuda" else min(4, os.cpu_count() or 1)
        torch.set_num_threads(1)  # what the judges do on the CPU is small, and they share the cores

    def run(
        self,
        submissions: Sequence[Submission],
        progress: Progress = _silent,
        look: Callable[[], None] = _undisturbed,
    ) -> Iterator[Verdict]:
        """Verdicts, in the order of `submissions`, each as soon as it and those before it are known. `look` is called
        several times a second; what it raises ends the run.

        Raises ExerciseError, GraderError.
        """
        for submission in submissions:
            self._contract(submission.exercise)  # a broken exercise is reported before anything runs
        with self._card(submissions, progress), ThreadPoolExecutor(self._jobs) as pool:
            futures: list[Future[Verdict]] = [pool.submit(self.grade, one, progress) for one in submissions]
            try:
                for future in futures:
                    while not future.done():  # wait in short turns, so that Ctrl-C is heard
                        look()
                        wait([future], timeout=0.1)
                    yield future.result()
            except BaseException:
                for future in futures:
                    future.cancel()
                self.zygote.abort()
                raise

    def grade(self, submission: Submission, progress: Progress = _silent) -> Verdict:
        """The verdict on one submission. Raises ExerciseError, GraderError."""
        return judge_outcome(submission, self._observe(submission, progress))

    def builds(self, submission: Submission) -> tuple[dict[str, Any], ...]:
        """The record of each kernel that loading the submission compiles. Raises Stop, ExerciseError, GraderError."""
        with self.zygote.worker() as worker:
            contract = self._contract(submission.exercise)
            return load(worker, self.deadline, contract, submission, self._protected)

    def _card(self, submissions: Sequence[Submission], progress: Progress) -> AbstractContextManager[None]:
        """The GPU, if there is one, for this grader alone: two that measure would spoil each other's times."""
        if self._bench is None or not submissions:
            return nullcontext()
        return self._bench.card.lock(lambda: progress(submissions[0], "waiting for another grader to leave the GPU"))

    def _observe(self, submission: Submission, progress: Progress) -> Outcome:
        unmet = self.backend.missing(submission.exercise.needs)
        if unmet:
            return Outcome(Status.UNSUPPORTED, unmet)
        if submission.missing:
            status = Status.WRONG if submission.is_absent else Status.BUILD_ERROR
            return Outcome(status, submission.lack, failed_check="compiles")
        contract = self._contract(submission.exercise)
        if submission.track == "answer":
            world = self.backend, self.zygote, self.seed, self.deadline, self._protected, self._bench
            return Examiner(contract, submission, *world, self._examined).grade(
                lambda text: progress(submission, text)
            )
        judge = Judge(contract, submission, self.backend, self.seed, self.deadline, self._bench)
        with self.zygote.worker() as worker:
            outcome = judge.grade(worker, self._protected, lambda text: progress(submission, text))
        if outcome.status is not Status.CORRECT or not submission.exercise.hidden:
            return outcome
        fresh = Judge(contract, submission, self.backend, self.seed, self.deadline)
        with self.zygote.worker() as worker:
            told = partial(progress, submission)
            return judge_hidden(fresh, worker, self._protected, told, outcome)

    def _contract(self, exercise: Exercise) -> Contract:
        if exercise.id not in self._contracts:
            self._contracts[exercise.id] = load_contract(exercise)
        return self._contracts[exercise.id]


def _bench(backend: Backend) -> Bench | None:
    """What times submissions, where time means something."""
    if backend.torch_device != "cuda":
        return None
    from grader.bench import Bench

    return Bench()
