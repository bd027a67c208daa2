"""Completion in the shell: what can stand for a word of the command line. `grade --install-completion` sets it up."""

from __future__ import annotations

import os
import re
from pathlib import Path

import typer

from grader import commands, discover

VARIABLE = "_GRADE_COMPLETE"
"""Is set where a shell asks what could come next, instead of running the command."""

_LINES = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")
"""Where the shells put the command line so far."""

_COMMAND = re.compile(r"\s*(\S+)\s+(\S+)(?=\s)")


def exercises(incomplete: str) -> list[str]:
    """The names of exercises that begin like this."""
    return [slug for slug in map(discover.slug_of, _ids()) if slug.startswith(incomplete)]


def targets(incomplete: str) -> list[str]:
    """What can be graded and begins like this."""
    ids = _ids()
    drills = [f"{discover.level_of(one)}/drills" for one in ids if "/drills/" in one]
    names = dict.fromkeys(["all", *map(discover.level_of, ids), *drills, *map(discover.slug_of, ids)])
    if "/" in incomplete:
        names |= dict.fromkeys(ids)
    return [name for name in names if name.startswith(incomplete)]


def first_words(incomplete: str) -> list[tuple[str, str]]:
    """What can follow `grade`: commands, with what they are for, and what can be graded."""
    named = [(name, text) for name, text in commands.COMMANDS.items() if name.startswith(incomplete)]
    return named + [(name, "") for name in targets(incomplete)]


def asked_for() -> typer.Typer | None:
    """The command whose words are to be completed, where it has an app of its own; the line then goes without it."""
    from typer.completion import completion_init  # type: ignore[attr-defined]

    completion_init()
    for variable in _LINES:
        line = os.environ.get(variable, "")
        found = _COMMAND.match(line)
        if found and found[2] in commands.COMMANDS:
            os.environ[variable] = found[1] + line[found.end() :]
            os.environ["COMP_CWORD"] = str(int(os.environ.get("COMP_CWORD") or 2) - 1)
            return commands.app(found[2])
    return None


def _ids() -> list[str]:
    try:
        return discover.exercise_ids(discover.find_root(Path.cwd()))
    except discover.TargetError:  # nothing to complete outside a project
        return []
