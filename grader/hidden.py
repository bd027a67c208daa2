"""Hidden cases: run after all others were right, in a worker of their own, of which only the status gets out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from grader.dialogue import Stop
from grader.judge import Judge
from grader.outcome import CaseResult, Outcome, Status
from grader.plan import hidden_plan
from grader.sandbox import Worker

_UNSEEN = "its sizes and values are not shown. Which do the other cases leave out?"
HIDDEN: Mapping[Status, str] = {
    Status.BUILD_ERROR: f"for a hidden case it could not be loaded again; {_UNSEEN}",
    Status.CRASH: f"a hidden case crashes; {_UNSEEN}",
    Status.TIMEOUT: f"a hidden case does not end in time; {_UNSEEN}",
    Status.WRONG: f"a hidden case fails: the result is not right; {_UNSEEN}",
    Status.UNVERIFIED: "a hidden case cannot be run here; everything else is right",
}
"""All that is said of a hidden case that does not pass."""


def judge_hidden(
    judge: Judge, worker: Worker, protected: tuple[Path, ...], progress: Callable[[str], None], outcome: Outcome
) -> Outcome:
    """`outcome`, which is correct, after the hidden cases. `judge` and `worker` are fresh: what the cases are made
    of, what the submission makes of that and what it prints meanwhile stays with them. Raises GraderError.
    """
    started = time.monotonic()
    try:
        judge.load(worker, protected)
        for step in hidden_plan(judge.submission):
            progress("hidden cases")
            judge.step(worker, step)
        after = replace(outcome, reason=f"{outcome.reason}; the hidden cases are right as well")
    except Stop as stop:
        failed = None if stop.status is Status.UNVERIFIED else "hidden"
        reason = HIDDEN[stop.status]
        after = replace(outcome, status=stop.status, reason=reason, detail="", failed_check=failed, timing=None)
    rows = (CaseResult({}, row.dtype, row.check, row.status, row.calls) for row in judge.results)
    seconds = outcome.seconds + time.monotonic() - started
    return replace(after, cases=(*outcome.cases, *rows), seconds=seconds)
