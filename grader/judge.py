"""Drives one worker through the checks of one track and says what came of it.

Truth, bounds and comparisons live here, in a process that never runs submitted code.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from grader.arena import Layout
from grader.backends import Backend
from grader.check import Expected, damage, expect, misses, worst
from grader.contract import Contract, derive_seed, random_case
from grader.decode import decode
from grader.exercise import Case, Submission
from grader.failures import MACHINE
from grader.outcome import CaseResult, GraderError, Outcome, Status
from grader.sandbox import Worker, WorkerEnded, WorkerTimeout

Progress = Callable[[str], None]

JUDGE_BYTES = 100
"""Room on the GPU for each input element of a large case: truth, bound and their temporaries in float64."""


@dataclass(frozen=True)
class Step:
    """One problem in one element type, and the kinds of data it is called with, each followed by its salt."""

    check: str
    case: Case
    dtype: str
    data: tuple[tuple[str, int], ...]

    @property
    def label(self) -> str:
        return f"{describe_case(self.case)}, {self.dtype}"


class _Stop(Exception):
    """Grading ends here: the outcome so far is final."""

    def __init__(self, status: Status, check: str | None, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.status, self.check, self.reason, self.detail = status, check, reason, detail


class Judge:
    """Grades one submission with one worker. `deadline` is the seconds that one answer may take."""

    def __init__(
        self, contract: Contract, submission: Submission, backend: Backend, seed: int, deadline: float
    ) -> None:
        self.contract, self.submission, self.backend = contract, submission, backend
        self.seed, self.deadline = seed, deadline
        self.results: list[CaseResult] = []
        self.build: tuple[dict[str, Any], ...] = ()
        self.findings: dict[str, dict[str, Any]] = {}
        self.wrote_nothing = False

    def grade(self, worker: Worker, protected: tuple[Path, ...], progress: Progress) -> Outcome:
        """Run every check in order, up to the first failure."""
        started = time.monotonic()
        try:
            self._load(worker, protected)
            for step in self._plan():
                progress(step.label)
                self._step(worker, step)
            outcome = self._success()
        except _Stop as stop:
            outcome = Outcome(stop.status, stop.reason, stop.detail, stop.check)
        return replace(
            outcome,
            cases=tuple(self.results),
            build=self.build,
            findings=tuple(self.findings.values()),
            printed=worker.printed,
            wrote_nothing=self.wrote_nothing,
            seconds=time.monotonic() - started,
        )

    def _load(self, worker: Worker, protected: tuple[Path, ...]) -> None:
        arguments = self.contract.signature(self.submission.exercise.cases[0])
        reply = self._ask(
            worker,
            "compiles",
            "loading the submission",
            op="load",
            folder=str(self.submission.folder.resolve()),
            track=self.submission.track,
            arguments=arguments,
            protected=[str(path) for path in protected],
        )
        self.build = tuple(reply.get("build") or ())

    def _plan(self) -> Iterator[Step]:
        """The first case in every type, then all others and a fresh random one, then the timed size on a GPU."""
        exercise, track = self.submission.exercise, self.submission.track
        rng = random.Random(derive_seed(self.seed, exercise.id))
        kinds = tuple((kind, 0) for kind in exercise.kinds)
        stages: list[tuple[str, list[Case], tuple[tuple[str, int], ...]]] = [
            ("tiny", [exercise.cases[0]], kinds),
            ("awkward", [*exercise.cases[1:], random_case(exercise.cases, rng)], kinds),
        ]
        if self.backend.torch_device == "cuda":
            stages.append(("large", [exercise.bench], (kinds[0], (kinds[0][0], 1))))
        for check, cases, data in stages:
            for dtype in exercise.dtypes[track]:
                for case in cases:
                    yield Step(check, case, dtype, data)

    def _step(self, worker: Worker, step: Step) -> None:
        """All calls of one step: the first data twice, which must agree, then the other data on the same pointers."""
        previous: Expected | None = None
        calls, error = 0, 0.0
        for kind, salt in step.data:
            inputs = self._inputs(step, kind, salt)
            layout, expected = expect(self.contract, step.case, step.dtype, inputs)
            left = self._call(worker, step, kind, layout, expected, previous)
            error = max(error, worst(layout, expected, left))
            calls += 1
            if previous is None:
                again = self._call(worker, step, kind, layout, expected, None)
                self._compare_bits(step, layout, left, again)
                calls += 1
            previous = expected
        self._record(step, Status.CORRECT, calls, error)

    def _inputs(self, step: Step, kind: str, salt: int) -> dict[str, torch.Tensor]:
        """The data of one call; what is large stays on the GPU, if the judge's float64 arithmetic has room there."""
        seed = derive_seed(self.seed, self.contract.exercise.id, step.label, kind, salt)
        if step.check != "large":
            return self.contract.inputs(step.case, kind, step.dtype, seed)
        torch.cuda.empty_cache()  # of the call before: the worker shares the GPU
        inputs = self.contract.large_inputs(step.case, step.dtype, seed)
        needed = JUDGE_BYTES * sum(tensor.numel() for tensor in inputs.values())
        if torch.cuda.mem_get_info()[0] > needed:
            return inputs
        return {name: tensor.cpu() for name, tensor in inputs.items()}

    def _call(
        self, worker: Worker, step: Step, kind: str, layout: Layout, expected: Expected, previous: Expected | None
    ) -> torch.Tensor:
        """One call of solve(), checked; what it left in the arena."""
        shared = worker.share(layout.size, on_device=step.check == "large")
        shared.copy_(expected.image)
        where = f"{step.label}, {kind} data"
        reply = self._ask(
            worker,
            "launches",
            where,
            op="call",
            memory=worker.memory,
            layout=layout.to_json(),
            scalars=[step.case[name] for name in self.contract.sizes],
        )
        left = shared.to(expected.image.device, copy=True)
        self._check_structure(step, where, layout, expected, left, reply)
        found = misses(layout, expected, left)
        if found:
            before = previous.truth.get(found[0].slot.name) if previous else None
            decoded = decode(found[0], before)
            self.wrote_nothing = all(bool(miss.unwritten.all()) for miss in found)
            lines = [f"{where}: {decoded.summary.partition(':')[0]}", *(f"  {line}" for line in decoded.lines)]
            if reply.get("returned") not in ("NoneType", None):
                lines.append("  note: solve() returned something; results belong in its output arguments")
            self._fail(step, Status.WRONG, step.check, f"{decoded.summary} ({where})", "\n".join(lines))
        return left

    def _check_structure(
        self, step: Step, where: str, layout: Layout, expected: Expected, left: torch.Tensor, reply: dict[str, Any]
    ) -> None:
        self._check_findings(step, where, layout, expected, left, reply)
        broken = damage(layout, expected, left)
        if broken:
            self._fail(step, Status.WRONG, "structure", f"{broken} ({where})")
        if not reply.get("launched"):
            self.wrote_nothing = not any(
                bool((layout.tensor(left, slot).reshape(-1).view(torch.uint8) != 0xFF).any())
                for slot in layout.slots
                if slot.writable
            )
            self._fail(step, Status.WRONG, "structure", "solve() launched no kernel")

    def _check_findings(
        self, step: Step, where: str, layout: Layout, expected: Expected, left: torch.Tensor, reply: dict[str, Any]
    ) -> None:
        """What the virtual GPU noticed: an error fails the exercise even where the numbers are right."""
        for finding in reply.get("findings") or ():
            self.findings.setdefault(str(finding.get("message")), finding)
        errors = [finding for finding in self.findings.values() if finding.get("severity") == "error"]
        if not errors:
            return
        lines = [f"{finding['kind']}: {finding['message']}\n  hint: {finding['remedy']}" for finding in errors]
        found = misses(layout, expected, left)
        lines.append(
            f"{where}: {decode(found[0]).summary}" if found else f"{where}: the numbers alone would have passed"
        )
        self._fail(step, Status.WRONG, "structure", f"{errors[0]['kind']}: {errors[0]['message']}", "\n".join(lines))

    def _compare_bits(self, step: Step, layout: Layout, first: torch.Tensor, second: torch.Tensor) -> None:
        if self.contract.exercise.atomics or torch.equal(first, second):
            return
        self._fail(
            step,
            Status.WRONG,
            step.check,
            f"two calls on the same data differ in their bits ({step.label}): a race, or memory read before written",
        )

    def _ask(self, worker: Worker, check: str, where: str, op: str, **request: Any) -> dict[str, Any]:
        """Ask the worker; every way in which that can go wrong stops the grading with its status."""
        try:
            reply = worker.ask(self.deadline, op, **request)
        except WorkerTimeout as error:
            raise _Stop(Status.TIMEOUT, check, f"{error}: {where}; is there a loop that never ends?") from None
        except WorkerEnded as error:
            raise _Stop(Status.CRASH, check, f"{error} ({where})") from None
        status = reply.get("status")
        if status is None:
            return reply
        if status == MACHINE:
            raise GraderError(str(reply.get("message")))
        if status not in list(Status) or status == Status.CORRECT:
            raise _Stop(Status.CRASH, check, "the submission answered in the grader's place")
        if status == Status.UNVERIFIED:
            raise _Stop(Status.UNVERIFIED, None, self._compiled(str(reply.get("message"))))
        if status == Status.BUILD_ERROR:
            check = "compiles"
        elif status == Status.WRONG:
            check = "structure"
        suffix = f" ({where})" if op == "call" and status == Status.CRASH else ""
        raise _Stop(Status(str(status)), check, f"{reply.get('message')}{suffix}", str(reply.get("detail", "")))

    def _fail(self, step: Step, status: Status, check: str, reason: str, detail: str = "") -> None:
        self._record(step, status)
        raise _Stop(status, check, reason, detail)

    def _record(self, step: Step, status: Status, calls: int = 0, error: float | None = None) -> None:
        self.results.append(CaseResult(step.case, step.dtype, step.check, status, calls, error))

    def _success(self) -> Outcome:
        calls = sum(result.calls for result in self.results)
        error = max(result.worst or 0.0 for result in self.results)
        dtypes = ", ".join(dict.fromkeys(result.dtype for result in self.results))
        return Outcome(Status.CORRECT, f"{calls} calls in {dtypes}, worst error {error:.2f} of the bound")

    def _compiled(self, message: str) -> str:
        """What the compiler said of the kernels, where they could not be run."""
        facts = [
            f"{build.get('kernel')}: {build.get('registers')} registers, {build.get('spill_stores')} B spilled, "
            f"{build.get('shared')} B shared ({build.get('target')})"
            for build in self.build
            if "registers" in build
        ]
        return "; ".join([message, *facts])


def describe_case(case: Case) -> str:
    """ "n=257, alpha=2.5" """
    return ", ".join(f"{name}={value}" for name, value in case.items())
