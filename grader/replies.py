"""What a worker may say, and what its end means. Nothing that comes from one is believed before it is checked."""

from __future__ import annotations

import math
import signal
from collections.abc import Mapping
from typing import Any


def is_reply(reply: Any) -> bool:
    """Whether this may have come from the grader's own worker: known fields of the right types."""
    return (
        isinstance(reply, dict)
        and all(isinstance(value, _FIELDS.get(name, ())) for name, value in reply.items())
        and all(isinstance(row, dict) for name in _ROWS for row in reply.get(name, ()))
        and all(isinstance(value, float) and 0 < value < math.inf for value in reply.get("seconds", ()))
    )


_ROWS = ("build", "findings", "kernels", "shapes")

_FIELDS: Mapping[str, type] = {
    "allocated": int,
    "build": list,
    "detail": str,
    "findings": list,
    "kernels": list,
    "largest": list,
    "launched": int,
    "launches": int,
    "message": str,
    "queued": float,
    "returned": str,
    "seconds": list,
    "shapes": list,
    "status": str,
    "total": float,
    "waits": int,
}
"""What a worker's reply may hold."""


def describe_end(report: Mapping[str, Any]) -> str:
    """The guardian's report on how its worker ended, in words."""
    if report.get("broke"):
        return f"it was stopped: {report['broke']}"
    code = report.get("exit")
    if code is None:
        return "the process vanished"
    if code < 0:
        name = signal.Signals(-code).name
        return f"the process died of {name}{_SIGNALS.get(name, '')}"
    return f"the process ended by itself (exit code {code}) before it had answered"


_SIGNALS: Mapping[str, str] = {
    "SIGABRT": ", which is how a library gives up",
    "SIGBUS": ": it touched memory that is not its own",
    "SIGKILL": ": somebody killed it, or the machine ran out of memory",
    "SIGSEGV": ": it touched memory that is not its own",
}
