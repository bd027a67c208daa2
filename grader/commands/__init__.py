"""What `grade` can do besides grading: `grade NAME ...` runs the typer app of the module of that name here.

They are imported when they are called, so that `grade --help` starts at once.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import cast

import typer

COMMANDS: Mapping[str, str] = {
    "calibrate": "this GPU's ceilings, measured anew: what grades and rooflines are held against",
    "profile": "what each line of an exercise's kernels does: transactions, active lanes, bytes, flops",
}
"""Names, and what `grade --help` says of them. No exercise may be called like one."""


def app(name: str) -> typer.Typer:
    """The command called `name`, one of COMMANDS."""
    return cast(typer.Typer, importlib.import_module(f"grader.commands.{name}").app)
