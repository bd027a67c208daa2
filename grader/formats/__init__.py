"""Reports for teaching platforms, each an option of `grade` by the same name.

A format is one file here whose `render` turns the record of a run, the one that `--json` writes (report.py), into the
text of its file. Where nothing could be graded, that says what `ended` does.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from typing import Any, cast

Record = Mapping[str, Any]
"""The whole result of a run, as CONTRIBUTING.md documents it."""


def ended(record: Record) -> str:
    """What takes the place of marks where nothing was graded, beginning with whose fault that is; "" otherwise."""
    if record["refused"]:
        return f"Not graded: {record['refused']}"
    return f"Grading crashed: {record['trouble']}" if record["trouble"] else ""


def renderer(name: str) -> Callable[[Record], str]:
    """What makes the text of the format called `name`."""
    if name == "json":
        return lambda record: json.dumps(record, indent=2) + "\n"
    return cast(Callable[[Record], str], importlib.import_module(f"grader.formats.{name}").render)
