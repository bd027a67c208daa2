"""What came of grading one track of one exercise: the records that everything after the worker deals in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    """How far a submission got, in the order of the pipeline. Only CORRECT may ever carry a time."""

    UNSUPPORTED = "UNSUPPORTED"
    BUILD_ERROR = "BUILD_ERROR"
    CRASH = "CRASH"
    TIMEOUT = "TIMEOUT"
    WRONG = "WRONG"
    UNVERIFIED = "UNVERIFIED"
    CORRECT = "CORRECT"


CHECKS = ("compiles", "launches", "structure", "tiny", "awkward", "large")
"""The checks in order. Each needs the ones before it, so those after a failure are "not run"."""


class GraderError(Exception):
    """The grader or the machine is at fault, not the learner: exit code 3."""


@dataclass(frozen=True)
class CaseResult:
    """One problem size in one element type.

    `worst` is the largest error in units of the bound (1.0 is the limit), None where nothing was compared.
    """

    case: Mapping[str, int | float]
    dtype: str
    check: str
    status: Status
    calls: int = 0
    worst: float | None = None


@dataclass(frozen=True)
class Outcome:
    """What was observed. `reason` is one sentence; `detail` the decoded failure, several lines, or empty."""

    status: Status
    reason: str
    detail: str = ""
    failed_check: str | None = None
    cases: tuple[CaseResult, ...] = ()
    build: tuple[Mapping[str, Any], ...] = ()
    findings: tuple[Mapping[str, Any], ...] = ()
    printed: str = ""
    wrote_nothing: bool = False
    seconds: float = 0.0

    def checks(self) -> dict[str, str]:
        """Each check's result: "passed", "failed" or "not run"."""
        if self.failed_check is not None:
            failed = CHECKS.index(self.failed_check)
            results = ["passed"] * failed + ["failed"] + ["not run"] * (len(CHECKS) - failed - 1)
        else:
            ran = {case.check for case in self.cases if case.status is Status.CORRECT}
            base = CHECKS[:3] if ran else CHECKS[:1] if self.status is Status.UNVERIFIED else ()
            results = ["passed" if check in ran or check in base else "not run" for check in CHECKS]
        return dict(zip(CHECKS, results, strict=True))


@dataclass(frozen=True)
class Verdict:
    """The mark: `grade` is one of GRADES, `reason` one sentence that says why."""

    exercise: str
    track: str
    grade: str
    reason: str
    outcome: Outcome = field(repr=False)

    @property
    def passed(self) -> bool:
        return self.grade in PASSING


GRADES = (
    "not started",
    "failed",
    "correct (not timed)",
    "slow",
    "pass",
    "good",
    "great",
    "inconclusive",
)
PASSING = frozenset({"correct (not timed)", "pass", "good", "great"})
