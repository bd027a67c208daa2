"""What came of grading one track of one exercise: the records that everything after the worker deals in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
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


CHECKS = ("compiles", "launches", "structure", "tiny", "awkward", "large", "resources", "speed", "hidden")
"""The checks in order. Each needs the ones before it, so those after a failure are "not run"."""


class GraderError(Exception):
    """The grader or the machine is at fault, not the learner: exit code 3."""


class HandInError(Exception):
    """What was handed in cannot be graded, and whoever handed it in can mend that: exit code 1."""

    def __init__(self, tree: Path, why: str) -> None:
        super().__init__(f"--from {tree}: {why}")
        self.named = f"{tree.name}: {why}"
        """Without the option and the folder, for those who typed neither."""


@dataclass(frozen=True)
class CaseResult:
    """One problem size in one element type.

    `worst` is the largest error in units of the bound (1.0 is the limit), None where nothing was compared. A hidden
    case tells neither: its `case` is empty.
    """

    case: Mapping[str, int | float]
    dtype: str
    check: str
    status: Status
    calls: int = 0
    worst: float | None = None


@dataclass(frozen=True)
class Timing:
    """A submission's speed on one case. `ratio` is its speed over the baseline's; `low` to `high` holds the true one
    with 95 % confidence. `share` is the part that it reaches of the ceiling of its `bound` ("memory", "compute",
    "launch"), `rate` its figure there with the unit. `scaled`: the case was made smaller to fit the card. `unclear`
    says why there can be no grade. `raw` holds every sample, clock and ceiling.
    """

    case: Mapping[str, int | float]
    dtype: str
    ratio: float
    low: float
    high: float
    seconds: float
    baseline_seconds: float
    bound: str
    share: float
    rate: str
    scaled: bool
    unclear: str
    raw: Mapping[str, Any] = field(repr=False)

    @property
    def lowest(self) -> float:
        """What goals are held against: the lower end of the ratio, or of the ceiling's share where that is kinder."""
        return max(self.low, self.share * self.low / self.ratio if self.ratio else 0.0)


@dataclass(frozen=True)
class Outcome:
    """What was observed. `reason` is one sentence; `detail` the decoded failure, several lines, or empty; `passed`
    names checks that passed and are no case's; `counts` are the bytes and flops of the call that the virtual GPU
    profiled, with its case and type, or empty.
    """

    status: Status
    reason: str
    detail: str = ""
    failed_check: str | None = None
    cases: tuple[CaseResult, ...] = ()
    build: tuple[Mapping[str, Any], ...] = ()
    findings: tuple[Mapping[str, Any], ...] = ()
    printed: str = ""
    wrote_nothing: bool = False
    passed: tuple[str, ...] = ()
    seconds: float = 0.0
    timing: Timing | None = None
    counts: Mapping[str, Any] = field(default_factory=dict)

    def checks(self) -> dict[str, str]:
        """Each check's result: "passed", "failed" or "not run"."""
        if self.failed_check not in (None, "hidden"):
            failed = CHECKS.index(self.failed_check)
            results = ["passed"] * failed + ["failed"] + ["not run"] * (len(CHECKS) - failed - 1)
        else:
            ran = {*self.passed, "speed"} if self.timing else set(self.passed)
            ran |= {case.check for case in self.cases if case.status is Status.CORRECT}
            base = CHECKS[:3] if ran else CHECKS[:1] if self.status is Status.UNVERIFIED else ()
            results = ["passed" if check in ran or check in base else "not run" for check in CHECKS]
        found = dict(zip(CHECKS, results, strict=True))
        return found | {"hidden": "failed"} if self.failed_check == "hidden" else found


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
