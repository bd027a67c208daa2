"""What `grade` can do besides grading: `grade NAME ...` runs the typer app of the module of that name here.

They are imported when they are called, so that `grade --help` starts at once.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import cast

import typer

COMMANDS: Mapping[str, str] = {
    "list": "where every exercise stands",
    "next": "which exercise comes next",
    "show": "an exercise's task and files",
    "hint": "one more hint for an exercise",
    "watch": "each save graded at once",
    "log": "every attempt at an exercise",
    "report": "all of that on one page, for a browser",
    "reset": "an exercise back to its stubs",
    "solution": "the reference solution, once you have solved it",
    "doctor": "whether this machine has what kernels need",
    "calibrate": "this GPU's ceilings, measured anew",
    "profile": "what each line of an exercise's kernels does",
    "new": "for instructors: an exercise of your own, which already runs",
    "check": "for instructors: whether exercises are all that they should be",
}
"""Names, and what `grade --help` says of them. No exercise may be called like one."""


def app(name: str) -> typer.Typer:
    """The command called `name`, one of COMMANDS."""
    return cast(typer.Typer, importlib.import_module(f"grader.commands.{name}").app)
