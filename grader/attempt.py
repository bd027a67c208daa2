"""One graded run of one track, as it is remembered: made from a verdict, or read from a line of the journal."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from grader.exercise import Submission
from grader.journal import Entry
from grader.outcome import PASSING, Timing, Verdict
from grader.roofline import Ceilings, Work

_NUMBERS = frozenset(["seed", "seconds", "ratio", "low", "high", "worst", "bytes", "flops", "bandwidth", "peak"])
_PLACE = re.compile(r"\b(\w+\.(?:cu|py|toml)):(\d+)")
_FINDING = ("kind", "severity", "message", "remedy", "place", "code")


@dataclass(frozen=True)
class Attempt:
    """One graded run of one track. `when` is ISO 8601 in UTC, `source` a hash of the files as they were then.

    `seconds` is the measured time of one call, `ratio` the speed over PyTorch's and `low` to `high` the 95 % interval
    of that, None where nothing was timed; `worst` the largest error in units of the bound, None where none was known.

    `bytes` and `flops` are those of one call in `dtype`: where it was timed, what the task needs at least, and then
    `bandwidth` (bytes/s) and `peak` (flop/s) are the card's ceilings for it; else what the virtual GPU counted, if it
    did. `findings` are what was noticed, each with the `place` it names and the `code` that stood there.
    """

    when: str
    exercise: str
    track: str
    grade: str
    status: str
    reason: str
    backend: str
    device: str
    source: str
    seed: float | None = None
    seconds: float | None = None
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    worst: float | None = None
    dtype: str = ""
    bytes: float | None = None
    flops: float | None = None
    bandwidth: float | None = None
    peak: float | None = None
    findings: tuple[Mapping[str, str], ...] = ()

    @property
    def passed(self) -> bool:
        return self.grade in PASSING


def of_verdict(
    verdict: Verdict, submission: Submission, source: str, device: Mapping[str, Any], seed: int
) -> Attempt:
    """What is remembered of a verdict on files whose hash is `source`, graded just now on `device` with `seed`."""
    outcome, timing = verdict.outcome, verdict.outcome.timing
    return Attempt(
        when=now(),
        exercise=verdict.exercise,
        track=verdict.track,
        grade=verdict.grade,
        status=str(outcome.status),
        reason=verdict.reason,
        backend=device["backend"],
        device=device["name"],
        source=source,
        seed=seed,
        seconds=timing.seconds if timing else None,
        ratio=timing.ratio if timing else None,
        low=timing.low if timing else None,
        high=timing.high if timing else None,
        worst=max((case.worst for case in outcome.cases if case.worst is not None), default=None),
        findings=tuple(_findings(verdict, submission)),
        **(_measured(timing) if timing else _counted(outcome.counts)),
    )


def of_entry(entry: Entry) -> Attempt:
    """An attempt from a line that may have been edited by hand: what is not as it should be is empty."""
    texts = {field.name for field in fields(Attempt)} - _NUMBERS - {"findings"}
    values: dict[str, Any] = {name: str(entry.get(name) or "") for name in texts}
    values |= {name: _number(entry.get(name)) for name in _NUMBERS}
    rows = entry.get("findings")
    found = [row for row in (rows if isinstance(rows, list) else ()) if isinstance(row, dict)]
    return Attempt(**values, findings=tuple({name: str(row.get(name, "")) for name in _FINDING} for row in found))


def now() -> str:
    """This moment as the journal writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _measured(timing: Timing) -> dict[str, Any]:
    """What the timed task needs at least, and the ceilings that its time is held against."""
    work, roof = Work(**timing.raw["work"]), Ceilings(**timing.raw["ceilings"])
    ceilings = {"bandwidth": roof.bandwidth(work), "peak": roof.matmul.get(work.dtype)}
    return {"dtype": work.dtype, "bytes": float(work.bytes), "flops": work.flops, **ceilings}


def _counted(counts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: counts[name] for name in ("dtype", "bytes", "flops") if name in counts}


def _findings(verdict: Verdict, submission: Submission) -> Iterator[dict[str, str]]:
    """What was noticed; where nothing was, but the reason of a failure names a line, then that."""
    for finding in verdict.outcome.findings:
        yield _located(finding, submission)
    if not verdict.passed and not verdict.outcome.findings:
        reason = {"kind": verdict.grade, "severity": "error", "message": verdict.reason}
        located = _located(reason, submission)
        if located["place"]:
            yield located


def _located(finding: Mapping[str, Any], submission: Submission) -> dict[str, str]:
    """A finding with the first place of the submission that it names, and the line of code there."""
    texts = {name: str(finding.get(name, "")) for name in _FINDING}
    files = {path.name: path for path in submission.files}
    for name, line in _PLACE.findall(texts["message"]):
        if name in files:
            with contextlib.suppress(OSError, IndexError):
                code = files[name].read_text(encoding="utf-8", errors="replace").splitlines()[int(line) - 1]
                return texts | {"place": f"{name}:{line}", "code": code.strip()}
    return texts


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None
