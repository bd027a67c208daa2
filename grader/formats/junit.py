"""JUnit XML in pytest's shape (xunit2): a test case for each exercise and track.

What the learner has to mend is a failure, what the grader or the machine has is an error; what this GPU cannot run is
skipped.
"""

from __future__ import annotations

import platform
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from grader.formats import Record, ended
from grader.outcome import PASSING, Status

SUITE = "kernel-ladder"

_CONTROL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not have."""


def render(record: Record) -> str:
    """The file's text."""
    cases = [_case(row) for row in record["results"]]
    if why := ended(record):
        case = ElementTree.Element("testcase", classname=SUITE, name="grading", time="0.000")
        _child(case, *(("failure", why, "refused") if record["refused"] else ("error", why, "crashed")))
        cases.append(case)
    kinds = Counter(child.tag for case in cases for child in case)
    counts = {
        "errors": kinds["error"],
        "failures": kinds["failure"],
        "skipped": kinds["skipped"],
        "tests": len(cases),
    }
    figures = {name: str(count) for name, count in counts.items()} | {"time": f"{record['seconds']:.3f}"}
    overall = {name: figure for name, figure in figures.items() if name != "skipped"}
    suites = ElementTree.Element("testsuites", {"name": SUITE, **overall})
    where = {"timestamp": record["started"], "hostname": _clean(platform.node())}
    ElementTree.SubElement(suites, "testsuite", {"name": SUITE, **figures, **where}).extend(cases)
    ElementTree.indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(suites, encoding="unicode")}\n'


def _case(row: Mapping[str, Any]) -> ElementTree.Element:
    names = {"classname": str(row["exercise"]).replace("/", "."), "name": str(row["track"])}
    case = ElementTree.Element("testcase", {**names, "time": f"{row['seconds']:.3f}"})
    if row["grade"] == "inconclusive":
        kind = "skipped" if row["status"] == Status.UNSUPPORTED else "error"
        _child(case, kind, row["reason"], row["grade"])
    elif row["grade"] not in PASSING:
        _child(case, "failure", row["reason"], row["grade"], row["detail"])
    if row["printed"]:
        ElementTree.SubElement(case, "system-out").text = _clean(row["printed"])
    return case


def _child(case: ElementTree.Element, kind: str, message: str, sort: str, detail: str = "") -> None:
    child = ElementTree.SubElement(case, kind, message=_clean(message), type=sort)
    child.text = _clean(detail or message)


def _clean(text: str) -> str:
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
