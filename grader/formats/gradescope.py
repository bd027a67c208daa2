"""Gradescope's results.json: two tests for each exercise, being right and being fast.

Source: "Autograder Specifications" in Gradescope's documentation.
"""

from __future__ import annotations

import json
from typing import Any

from grader.formats import Record, ended


def render(record: Record) -> str:
    """The file's text."""
    report: dict[str, Any] = {"execution_time": round(record["seconds"], 3), "output_format": "text"}
    if why := ended(record):
        remedy = "Mend that and hand in again." if record["refused"] else CRASHED
        report |= {"score": 0, "output": f"{why}\n{remedy}", "tests": []}
    else:
        summary = record["summary"]
        report |= {
            "output": f"{summary['score']} of {summary['max_score']} points; "
            f"{summary['passed']} of {summary['total']} graded tracks pass",
            "test_output_format": "text",
            "tests": [
                _test(record, number, mark, part) for number, mark in enumerate(record["marks"], 1) for part in PARTS
            ],
        }
    report["extra_data"] = {key: record[key] for key in ("schema", "seed", "device")}
    return json.dumps(report, indent=2) + "\n"


CRASHED = "That says nothing of your code; tell your instructor."

PARTS = {"correct": "right", "fast": "fast"}


def _test(record: Record, number: int, mark: dict[str, Any], part: str) -> dict[str, Any]:
    """One test. What was not counted has no points to lose, and is neither passed nor failed."""
    got = mark[part]
    details = [
        f"{row['track']}: {row['grade']}: {row['reason']}\n{row['detail']}".strip()
        for row in record["results"]
        if part == "correct" and row["exercise"] == mark["exercise"]
    ]
    test = {
        "name": f"{mark['exercise']}: {PARTS[part]}",
        "number": f"{number}.{list(PARTS).index(part) + 1}",
        "score": got["score"],
        "max_score": got["max"],
        "output": "\n\n".join(details or [got["why"]]),
        "visibility": "visible",
    }
    return test | ({"status": "passed" if got["score"] else "failed"} if got["max"] else {})
