"""Grades the track `answer`: runs the implementations that an exercise gives, and holds what is said of them against
what they do.

Counts are the virtual GPU's, at two sizes small enough for it, and grow from there to the size of the question. The
times that they would cost are those of this machine's GPU, or of the H200 where there is none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from grader.answers import Answer, AnswerError, read_answers
from grader.arenas import Arenas
from grader.backends import Backend, get
from grader.contract import Contract, derive_seed
from grader.diagnosis import H200, Counts, costs, extrapolate
from grader.dialogue import Stop, ask, load
from grader.exercise import Case, ExerciseError, Submission
from grader.outcome import Outcome, Status
from grader.profiling import profile
from grader.roofline import Ceilings
from grader.sandbox import Zygote

if TYPE_CHECKING:
    from grader.bench import Bench

Implementation = tuple[str | bytes, ...]
"""An implementation's name and the contents of its files."""

TOLERANCE = 2.0
"""The factor by which an estimate on a napkin may be off."""


@dataclass(frozen=True)
class Examined:
    """One implementation: its counts at the size of the question, what each bound would cost by them, and the
    seconds that a call really took, where there is a GPU.
    """

    counts: Counts
    costs: Mapping[str, float]
    seconds: float | None

    @property
    def bound(self) -> str:
        return max(self.costs, key=lambda name: self.costs[name])


@dataclass
class Examiner:
    """Grades one submission of the track `answer`. `bench`, where there is a GPU, knows its ceilings. `known` holds
    what was found before of implementations whose files have not changed since, for whoever grades many answers.
    """

    contract: Contract
    submission: Submission
    backend: Backend
    zygote: Zygote
    seed: int
    deadline: float
    protected: tuple[Path, ...]
    bench: Bench | None = None
    known: dict[Implementation, Examined] = field(default_factory=dict)

    def grade(self, progress: Callable[[str], None]) -> Outcome:
        """Examine all implementations and compare. Raises ExerciseError, GraderError."""
        started = time.monotonic()
        names = [one.folder.name for one in self.submission.exercise.implementations]
        try:
            answers = read_answers(self.submission.files[-1], names)
        except AnswerError as error:
            return Outcome(Status.BUILD_ERROR, str(error), failed_check="compiles")
        if not any(answer.bound for answer in answers.values()):
            return Outcome(Status.WRONG, "nothing is answered yet", failed_check="structure", wrote_nothing=True)
        outcome = self._compare(answers, self.examine(progress))
        return Outcome(**{**outcome.__dict__, "seconds": time.monotonic() - started})

    def examine(self, progress: Callable[[str], None]) -> dict[str, Examined]:
        """What is true of each implementation, by name. Raises ExerciseError, GraderError."""
        exercise = self.submission.exercise
        name, small, large = _growing(self.contract)
        ceilings: Ceilings = H200
        if self.bench is not None:
            self.bench.calibrate(progress)
            ceilings = self.bench.ceilings
        found = {}
        with self._counting() as zygote:
            for one in exercise.implementations:
                key: Implementation = (one.name, *(path.read_bytes() for path in one.files))
                if key not in self.known:
                    progress(f"{one.folder.name}: counting")
                    few, many = (self._counts(zygote, one, case) for case in (small, large))
                    counts = extrapolate(few, many, (small[name], large[name]), exercise.bench[name])
                    if self.bench is not None:
                        progress(f"{one.folder.name}: timing")
                    seconds = self._seconds(one) if self.bench is not None else None
                    self.known[key] = Examined(counts, costs(counts, ceilings), seconds)
                found[one.folder.name] = self.known[key]
        return found

    def _counting(self) -> AbstractContextManager[Zygote]:
        """Where workers with a virtual GPU come from."""
        if self.backend.name == "vgpu":
            return nullcontext(self.zygote)
        return Zygote(get("vgpu").environment())

    def _counts(self, zygote: Zygote, implementation: Submission, case: Case) -> Counts:
        """Count what one call does on a case."""
        with zygote.worker() as worker:
            try:
                load(worker, self.deadline, self.contract, implementation, self.protected)
                profiled = profile(worker, self.deadline, self.contract, case, implementation.dtypes[0], self.seed)
            except Stop as stop:
                raise ExerciseError(f"{implementation.folder}: does not run: {stop.reason}") from None
        return Counts.of(profiled.kernels, profiled.waits)

    def _seconds(self, implementation: Submission) -> float:
        """Time calls one after the other on the GPU, host included; by the difference of two runs."""
        exercise = implementation.exercise
        with self.zygote.worker() as worker:
            load(worker, self.deadline, self.contract, implementation, self.protected)
            seed = derive_seed(self.seed, exercise.id, implementation.folder.name)
            arenas = Arenas(self.contract, worker, exercise.bench, implementation.dtypes[0], 1, seed)
            arenas.hand_over()
            request = {"memory": arenas.memory, "layout": arenas.layout.to_json(), "scalars": arenas.scalars}
            where = f"timing {implementation.folder.name}"

            def total(rounds: int) -> float:
                reply = ask(worker, self.deadline, "speed", where, op="sustain", rounds=rounds, **request)
                return float(reply["total"])

            total(1)
            rounds = max(1, round(0.05 / total(1)))
            seconds = (total(3 * rounds) - total(rounds)) / (2 * rounds)
        torch.cuda.empty_cache()
        return seconds

    def _compare(self, answers: Mapping[str, Answer], examined: Mapping[str, Examined]) -> Outcome:
        """Right are those whose bound costs the most, and whose estimate of that cost is near."""
        wrong = {name: _fault(answers[name], one) for name, one in examined.items()}
        lines = []
        for name, one in examined.items():
            measured = f"; a call took {one.seconds * 1e3:.3g} ms" if one.seconds is not None else ""
            lines.append(f"{name}: {wrong[name] or 'right'}{measured}")
        right = sum(not fault for fault in wrong.values())
        if right == len(wrong):
            spoken = ", ".join(
                f"{name} {one.bound} {one.costs[one.bound] * 1e3:.3g} ms" for name, one in examined.items()
            )
            return Outcome(Status.CORRECT, f"all {right} right: {spoken}", passed=("structure",))
        if any(answers[name].bound != one.bound for name, one in examined.items()):
            lines.append("hint: what would each bound alone cost? The largest is the one that holds.")
        else:
            lines.append(f"hint: count once more, at the size of the question: {self._size}")
        return Outcome(Status.WRONG, f"{right} of {len(wrong)} are right", "\n".join(lines), failed_check="structure")

    @property
    def _size(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.submission.exercise.bench.items())


def _fault(answer: Answer, examined: Examined) -> str:
    """What is wrong with an answer, without giving away the right one; empty if nothing is."""
    if not answer.bound:
        return "not answered yet"
    if answer.bound != examined.bound:
        alone = 1e3 * examined.costs[answer.bound]
        return f"{answer.bound} is not what costs the most: alone it would take {alone:.3g} ms"
    true = 1e3 * examined.costs[examined.bound]
    if not true / TOLERANCE <= answer.milliseconds <= true * TOLERANCE:
        return (
            f"{answer.bound} is right, but {answer.milliseconds:g} ms is off by more than a factor of {TOLERANCE:g}"
        )
    return ""


def _growing(contract: Contract) -> tuple[str, Case, Case]:
    """The size that grows from the cases to the question's, and the two largest cases. Raises ExerciseError."""
    exercise = contract.exercise
    dtype = exercise.dtypes["answer"][0]
    *_, small, large = sorted(exercise.cases, key=lambda case: contract.elements(case, dtype))
    growing = [name for name in exercise.bench if len({small[name], large[name], exercise.bench[name]}) > 1]
    if len(growing) != 1 or not small[growing[0]] < large[growing[0]]:
        path = exercise.folder / "exercise.toml"
        raise ExerciseError(f"{path}: from the two largest cases to bench, exactly one size must grow")
    return growing[0], small, large
