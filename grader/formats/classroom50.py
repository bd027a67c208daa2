"""Classroom 50's result.json, schema classroom50/result/v1; what it is about comes from the environment."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from grader.formats import Record, ended

SCHEMA = "classroom50/result/v1"

TYPES = ("individual", "group", "team")

LONGEST = 100
"""Bytes of a test's name."""

VARIABLES = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "owner": "OWNER",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}
"""Fields, and the variables of the environment that hold them."""


def render(record: Record) -> str:
    """The file's text."""
    known = {field: os.environ.get(variable, "") for field, variable in VARIABLES.items()}
    known["owner"] = known["owner"] or os.environ.get("USERNAME", "")
    kind = os.environ.get("ASSIGNMENT_TYPE", "")
    tests = list(_tests(record))
    started = datetime.fromisoformat(record["started"])
    report = {
        "schema": SCHEMA,
        "classroom": known.pop("classroom"),
        "assignment": known.pop("assignment"),
        "assignment_type": kind if kind in TYPES else TYPES[0],
        **known,
        "datetime": started.isoformat(),
        "graded_at": (started + timedelta(seconds=record["seconds"])).isoformat(),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }
    return json.dumps(report, indent=2) + "\n"


def _tests(record: Record) -> Iterator[dict[str, Any]]:
    if why := ended(record):
        name = why.encode("utf-8", "replace")[:LONGEST].decode(errors="ignore")
        yield {"test-name": name, "passed": False, "score": 0, "max-score": 0}
        return
    for mark in record["marks"]:
        for part, word in (("correct", "right"), ("fast", "fast")):
            score, most = mark[part]["score"], mark[part]["max"]
            if most:  # what was not counted is neither passed nor failed, and there is no third
                name = _short(f"{mark['exercise']}: {word}")
                yield {"test-name": name, "passed": score > 0, "score": score, "max-score": most}


def _short(name: str) -> str:
    """At most LONGEST bytes; the end of an exercise's name is what tells it from others."""
    data = name.encode()
    return name if len(data) <= LONGEST else "..." + data[3 - LONGEST :].decode(errors="ignore")
