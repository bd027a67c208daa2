"""Drives one worker through the checks of one track and says what came of it.

Truth, bounds and comparisons live here, in a process that never runs submitted code.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from grader.arena import Layout
from grader.arenas import Refuted
from grader.backends import Backend
from grader.check import Expected, damage, expect, given, misses, sources, specials, worst
from grader.contract import Contract, derive_seed
from grader.decode import decode
from grader.dialogue import Stop, ask, load
from grader.exercise import Submission
from grader.launched import of_reply
from grader.limits import known, violation
from grader.outcome import CaseResult, Outcome, Status, Timing
from grader.plan import Step, plan
from grader.profiling import largest_case, profile
from grader.sandbox import Worker
from grader.scratch import excess
from grader.supposed import suppositions
from grader.vgpu.findings import ENDINGS, FAULTS

if TYPE_CHECKING:
    from grader.bench import Bench

Progress = Callable[[str], None]


class Judge:
    """Grades one submission with one worker. `deadline` is the seconds that one answer may take; `bench` times it,
    if it is given.
    """

    def __init__(
        self,
        contract: Contract,
        submission: Submission,
        backend: Backend,
        seed: int,
        deadline: float,
        bench: Bench | None = None,
    ) -> None:
        self.bench = bench
        self.contract, self.submission, self.backend = contract, submission, backend
        self.seed, self.deadline = seed, deadline
        self.results: list[CaseResult] = []
        self.build: tuple[dict[str, Any], ...] = ()
        self.findings: dict[str, dict[str, Any]] = {}
        self.counts: dict[str, Any] = {}
        self.wrote_nothing = False

    def grade(self, worker: Worker, protected: tuple[Path, ...], progress: Progress) -> Outcome:
        """Run every check in order, up to the first failure."""
        started = time.monotonic()
        try:
            self.load(worker, protected)
            for step in plan(self.submission, self.seed, on_gpu=self.backend.torch_device == "cuda"):
                if self.bench and step.check == "large":
                    step = replace(step, case=self.bench.case(self.contract, step.dtype)[0])
                progress(step.label)
                self.step(worker, step)
            passed = self._profile(worker)
            outcome = replace(self._success(self._speed(worker, progress)), passed=passed)
        except Stop as stop:
            reason = self._compiled(stop.reason) if stop.status is Status.UNVERIFIED else stop.reason
            outcome = Outcome(stop.status, reason, stop.detail, stop.check)
        return replace(
            outcome,
            cases=tuple(self.results),
            build=self.build,
            findings=tuple(self.findings.values()),
            printed=worker.printed,
            wrote_nothing=self.wrote_nothing,
            seconds=time.monotonic() - started,
            counts=self.counts,
        )

    def load(self, worker: Worker, protected: tuple[Path, ...]) -> None:
        """Have the worker load the submission. Raises Stop, GraderError."""
        self.build = load(worker, self.deadline, self.contract, self.submission, protected)

    def step(self, worker: Worker, step: Step) -> None:
        """All calls of one step: the first data twice, which must agree, then the other data on the same pointers.

        Raises Stop, GraderError.
        """
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
        """The data of one call; what is large is made on the GPU, and stays there."""
        seed = derive_seed(self.seed, self.contract.exercise.id, step.label, kind, salt)
        if step.check != "large":
            return self.contract.inputs(step.case, kind, step.dtype, seed)
        torch.cuda.empty_cache()  # of the call before: the worker shares the GPU
        return self.contract.large_inputs(step.case, step.dtype, seed)

    def _call(
        self, worker: Worker, step: Step, kind: str, layout: Layout, expected: Expected, previous: Expected | None
    ) -> torch.Tensor:
        """One call of solve(), checked; what it left in the arena."""
        shared = worker.share(layout.size, on_device=step.check == "large")
        shared.copy_(expected.image)
        self.backend.synchronize()  # the worker has a stream of its own
        where = f"{step.label}, {kind} data"
        reply = ask(
            worker,
            self.deadline,
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
            made_of = sources(self.contract, layout, expected, found[0].slot)
            supposed = suppositions(self.contract, step.case, given(layout, expected))
            decoded = decode(found[0], before, of_reply(reply), made_of, supposed)
            self.wrote_nothing = all(bool(miss.unwritten.all()) for miss in found)
            lines = [f"{where}: {decoded.summary.partition(':')[0]}", *(f"  {line}" for line in decoded.lines)]
            if special := specials(given(layout, expected)):
                lines.append(f"  note: in this data {special}")
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
        formula, largest = self.contract.exercise.scratch, tuple(reply.get("largest") or ())
        said = excess(formula, step.case, int(reply.get("allocated") or 0), largest) if formula else None
        if said:
            self._fail(step, Status.WRONG, "structure", f"{said} ({where})")

    def _check_findings(
        self, step: Step, where: str, layout: Layout, expected: Expected, left: torch.Tensor, reply: dict[str, Any]
    ) -> None:
        """What the virtual GPU noticed: an error fails the exercise even where the numbers are right."""
        for finding in reply.get("findings") or ():
            self.findings.setdefault(str(finding.get("message")), finding)
        errors = [finding for finding in self.findings.values() if finding.get("severity") == "error"]
        if not errors:
            return
        errors.sort(key=lambda finding: finding.get("kind") not in FAULTS)
        lines = [f"{finding['kind']}: {finding['message']}\n  hint: {finding['remedy']}" for finding in errors]
        found = misses(layout, expected, left)
        if found and errors[0].get("kind") in FAULTS:
            wrong = decode(found[0]).summary.partition(":")[0]
            lines.append(f"{where}: {wrong}, which may only follow from that; a GPU may have stopped there")
        elif found:
            lines.append(f"{where}: {decode(found[0]).summary}")
        elif not any(finding.get("kind") in ENDINGS for finding in errors):
            lines.append(f"{where}: the numbers alone would have passed")
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

    def _profile(self, worker: Worker) -> tuple[str, ...]:
        """Costs and advice from one call more, and the checks that passed by it. Advice never fails an exercise, and
        neither does a call that takes too long only because it is watched.
        """
        exercise = self.submission.exercise
        dtype = self.submission.dtypes[0]
        case = largest_case(self.contract, dtype)
        try:
            profiled = profile(worker, self.deadline, self.contract, case, dtype, self.seed)
        except Stop:
            return ()
        self.build = tuple(map(dict, profiled.build))
        self.counts = {"case": case, "dtype": dtype, **profiled.moved} if profiled.kernels else {}
        self.findings |= {str(advice.get("message")): dict(advice) for advice in profiled.advice}
        broken = violation(exercise.static, self.build)
        if broken:
            raise Stop(Status.WRONG, "resources", broken)
        return ("resources",) if exercise.static and known(exercise.static, self.build) else ()

    def _fail(self, step: Step, status: Status, check: str, reason: str, detail: str = "") -> None:
        self._record(step, status)
        raise Stop(status, check, reason, detail)

    def _record(self, step: Step, status: Status, calls: int = 0, error: float | None = None) -> None:
        self.results.append(CaseResult(step.case, step.dtype, step.check, status, calls, error))

    def _speed(self, worker: Worker, progress: Progress) -> Timing | None:
        """The submission's time against the baseline's, in its first type, where there is a goal and a GPU."""
        exercise, track = self.submission.exercise, self.submission.track
        if self.bench is None or track not in exercise.goals:
            return None
        dtype = self.submission.dtypes[0]
        goals = exercise.goals[track]
        self.bench.calibrate(progress)
        progress(f"timing, {dtype}")
        try:
            return self.bench.time(
                self.contract,
                worker,
                partial(ask, worker, self.deadline, "speed", "timing"),
                dtype,
                (goals.passing, goals.good, goals.great),
                derive_seed(self.seed, exercise.id, "time"),
            )
        except Refuted as error:
            raise Stop(Status.WRONG, "speed", str(error)) from None

    def _success(self, timing: Timing | None) -> Outcome:
        calls = sum(result.calls for result in self.results)
        error = max(result.worst or 0.0 for result in self.results)
        dtypes = ", ".join(dict.fromkeys(result.dtype for result in self.results))
        reason = f"{calls} calls in {dtypes}, worst error {error:.2f} of the bound"
        return Outcome(Status.CORRECT, reason, timing=timing)

    def _compiled(self, message: str) -> str:
        """What the compiler said of the kernels, where they could not be run."""
        facts = [
            f"{build.get('kernel')}: {build.get('registers')} registers, {build.get('spill_stores')} B spilled, "
            f"{build.get('shared')} B shared ({build.get('target')})"
            for build in self.build
            if "registers" in build
        ]
        return "; ".join([message, *facts])
