"""Asking a worker: whatever can go wrong with that becomes the status that grading stops with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grader.contract import Contract
from grader.exercise import Submission
from grader.failures import MACHINE
from grader.outcome import GraderError, Status
from grader.sandbox import Worker, WorkerEnded, WorkerTimeout


class Stop(Exception):
    """Grading ends here: the outcome so far is final."""

    def __init__(self, status: Status, check: str | None, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.status, self.check, self.reason, self.detail = status, check, reason, detail


def ask(worker: Worker, deadline: float, check: str, where: str, op: str, **request: Any) -> dict[str, Any]:
    """The worker's answer within `deadline` seconds; `check` fails if there is none. Raises Stop, GraderError."""
    try:
        reply = worker.ask(deadline, op, **request)
    except WorkerTimeout as error:
        raise Stop(Status.TIMEOUT, check, f"{error}: {where}; is there a loop that never ends?") from None
    except WorkerEnded as error:
        raise Stop(Status.CRASH, check, f"{error} ({where})") from None
    status = reply.get("status")
    if status is None:
        return reply
    if status == MACHINE:
        raise GraderError(str(reply.get("message")))
    if status not in list(Status) or status == Status.CORRECT:
        raise Stop(Status.CRASH, check, "the submission answered in the grader's place")
    if status == Status.UNVERIFIED:
        raise Stop(Status.UNVERIFIED, None, str(reply.get("message")))
    if status == Status.BUILD_ERROR:
        check = "compiles"
    elif status == Status.WRONG:
        check = "structure"
    tell_where = status == Status.TIMEOUT or (op != "load" and status == Status.CRASH)
    suffix = f" ({where})" if tell_where else ""
    raise Stop(Status(str(status)), check, f"{reply.get('message')}{suffix}", str(reply.get("detail", "")))


def load(
    worker: Worker, deadline: float, contract: Contract, submission: Submission, protected: tuple[Path, ...]
) -> tuple[dict[str, Any], ...]:
    """Have the worker load the submission; the record of each kernel it built. Raises Stop, GraderError."""
    reply = ask(
        worker,
        deadline,
        "compiles",
        "loading the submission",
        op="load",
        folder=str(submission.folder.resolve()),
        track=submission.track,
        arguments=contract.signature(submission.exercise.cases[0]),
        protected=[str(path) for path in protected],
    )
    return tuple(reply.get("build") or ())
