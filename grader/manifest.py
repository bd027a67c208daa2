"""exercise.toml: what may stand in it, and an error with file, line and remedy for everything else."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.bounds import FAMILIES
from grader.data import ELEMENTWISE_KINDS, EXACT_INTEGERS, KINDS
from grader.exercise import TRACKS, Case, Exercise, ExerciseError, Goals
from grader.limits import LIMITS
from grader.scratch import allowed

AWKWARD = (33, 1, 31, 32, 127, 128, 129, 255, 257, 1009, 1023, 1025)
"""Sizes on both sides of a warp, of common blocks and of common tiles, and a prime. In the first most
mistakes are met: it is small enough to read, large enough to show a pattern."""


TIMED: Mapping[str, int] = {"correct": 7, "fast": 3}
UNTIMED: Mapping[str, int] = {"correct": 10, "fast": 0}
"""What an exercise is worth that says nothing of it: one with goals, and one whose speed is never graded."""


def read_manifest(folder: Path, exercise_id: str) -> Exercise:
    """Read `folder`/exercise.toml. Raises ExerciseError."""
    path = folder / "exercise.toml"
    try:
        text = path.read_text(encoding="utf-8")
        raw = tomllib.loads(text)
    except FileNotFoundError:
        raise ExerciseError(f"{path}: missing; every exercise needs one (CONTRIBUTING.md shows it)") from None
    except OSError as error:
        raise ExerciseError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ExerciseError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        what = "starts with a byte order mark (BOM); save it as UTF-8 without one" if text[:1] == "\ufeff" else error
        raise ExerciseError(f"{path}: not valid TOML: {what}") from None
    values = _checked(path, text, raw)
    cases, hidden = (tuple(case for row in values.pop(key) for case in _expand(row)) for key in ("cases", "hidden"))
    goals = {track: Goals(*(float(table[name]) for name in _GOALS)) for track, table in values.pop("goals").items()}
    points = values.pop("points") or (UNTIMED if not goals else TIMED)
    exercise = Exercise(
        id=exercise_id, folder=folder, cases=cases, hidden=hidden, goals=goals, points=points, **values
    )
    sizes = [set(case) for case in (*exercise.cases, exercise.bench, *exercise.also, *exercise.hidden)]
    if any(names != sizes[0] for names in sizes):
        raise _error(path, text, "cases", "every case, bench, also and hidden must give the same names")
    for name in exercise.fixed:
        if name not in exercise.bench:
            raise _error(path, text, "fixed", f"`{name}` is not a size of the cases ({', '.join(exercise.bench)})")
    if exercise.scratch:
        try:
            allowed(exercise.scratch, exercise.bench)
        except ValueError as error:
            raise _error(path, text, "scratch", str(error)) from None
    return exercise


@dataclass(frozen=True)
class _Key:
    """What one key must be; `default` is None where it must be there."""

    expected: str
    valid: Callable[[Any], bool]
    default: Any = None
    fault: Callable[[Any], str | None] = lambda value: None
    """What exactly is wrong with an invalid value, if that can be told; else it is not what was expected."""


def _checked(path: Path, text: str, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The values of all keys, lists as tuples. Raises ExerciseError for one that is unknown, missing or wrong."""
    for name in raw:
        if name not in _KEYS:
            near = difflib.get_close_matches(name, _KEYS, 1)
            raise _error(path, text, name, f"unknown key; did you mean `{near[0]}`?" if near else "unknown key")
    values = {}
    for name, key in _KEYS.items():
        value = raw.get(name, key.default)
        if value is None:
            raise ExerciseError(f"{path}: `{name}` is missing; it is {key.expected}")
        if name in raw and not key.valid(value):
            raise _error(path, text, name, key.fault(value) or f"expected {key.expected}")
        values[name] = tuple(value) if isinstance(value, list) else value
    return values


def _error(path: Path, text: str, key: str, message: str) -> ExerciseError:
    """An error with the line on which `key` stands."""
    pattern = re.compile(rf"^\s*(\[+\s*)?[\"']?{re.escape(key)}[\"']?\s*[\]=.]", re.MULTILINE)
    found = pattern.search(text)
    line = text.count("\n", 0, found.end()) + 1 if found else 1
    return ExerciseError(f"{path}:{line}: `{key}`: {message}")


def _expand(row: Mapping[str, Any]) -> list[Case]:
    """{ n = "awkward" } stands for one case with each awkward size."""
    if "awkward" not in row.values():
        return [row]
    return [{key: size if value == "awkward" else value for key, value in row.items()} for size in AWKWARD]


def _names(table: Mapping[str, object]) -> str:
    return ", ".join(f'"{name}"' for name in table)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_case(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(map(_is_argument, value.values()))


def _is_argument(value: Any) -> bool:
    """A size or an offset, a whole number, or a scalar, which has a decimal point."""
    return _is_number(value) and (isinstance(value, float) or value >= 0)


def _is_cases(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(row, dict) and bool(row) for row in value)
        and all(item == "awkward" or _is_argument(item) for row in value for item in row.values())
    )


def _case_fault(value: Any) -> str | None:
    """What is wrong with bench, or with the first of the cases that is wrong."""
    if value == []:
        return "there must be at least one"
    rows = [row for row in (value if isinstance(value, list) else [value]) if isinstance(row, dict)]
    for name, item in ((name, item) for row in rows for name, item in row.items()):
        if isinstance(item, str) and difflib.get_close_matches(item, ["awkward"]) and item != "awkward":
            return f'"{item}": did you mean "awkward"?'
        if _is_number(item) and not _is_argument(item):
            return f"{name} = {item}: a size cannot be negative (a scalar has a decimal point: {float(item)})"
    return None


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_kinds(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(kind in KINDS for kind in value)


def _is_family(value: Any) -> bool:
    named = list(value.values()) if isinstance(value, dict) else [value]
    return bool(named) and all(isinstance(name, str) and name in FAMILIES for name in named)


def _is_dtypes(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(track in TRACKS for track in value)
        and all(isinstance(types, list) and bool(types) for types in value.values())
        and all(dtype in EXACT_INTEGERS for types in value.values() for dtype in types)
    )


def _is_goals(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and all(track in TRACKS for track in value)
        and all(isinstance(goals, dict) and set(goals) == set(_GOALS) for goals in value.values())
        and all(_is_number(goals[name]) for goals in value.values() for name in _GOALS)
        and all(0 < goals["pass"] <= goals["good"] <= goals["great"] for goals in value.values())
    )


def _is_points(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == set(TIMED)
        and all(isinstance(points, int) and not isinstance(points, bool) and points >= 0 for points in value.values())
        and sum(value.values()) > 0
    )


def _is_static(value: Any) -> bool:
    return isinstance(value, dict) and all(key in LIMITS and _is_number(limit) for key, limit in value.items())


_GOALS = ("pass", "good", "great")

_KEYS = {
    "title": _Key("a string", _is_text),
    "concept": _Key("a string", _is_text),
    "phase": _Key("a number, the roadmap's phase", _is_number),
    "family": _Key(f"one of {_names(FAMILIES)}, or a table from outputs to these", _is_family),
    "cases": _Key(
        'a list of tables of numbers, such as { n = 257 }; a size may be "awkward"', _is_cases, fault=_case_fault
    ),
    "bench": _Key("a table of numbers, the size that is timed", _is_case, fault=_case_fault),
    "also": _Key(
        "a list of tables of numbers, sizes that are measured besides bench",
        lambda value: isinstance(value, list) and all(map(_is_case, value)),
        [],
        _case_fault,
    ),
    "hidden": _Key(
        "a list of tables of numbers, cases that no report shows",
        lambda value: value == [] or _is_cases(value),
        [],
        _case_fault,
    ),
    "points": _Key(
        "a table of two whole numbers, such as { correct = 8, fast = 2 }, not both 0",
        _is_points,
        {},
    ),
    "fixed": _Key("a list of sizes, of which no other values than the cases' are tried", _is_texts, []),
    "scratch": _Key('a formula of the sizes, such as "8 * batch * seq", in bytes', _is_text, ""),
    "needs": _Key('a list such as ["sm_89"]', _is_texts, []),
    "dtypes": _Key(
        f"a table from tracks ({', '.join(TRACKS)}) to lists of types ({', '.join(EXACT_INTEGERS)})",
        _is_dtypes,
        {"cuda": ["float32"], "triton": ["float32"]},
    ),
    "kinds": _Key(f"a list from {_names(KINDS)}", _is_kinds, list(ELEMENTWISE_KINDS)),
    "atomics": _Key("true or false", lambda value: isinstance(value, bool), False),
    "static": _Key(f"a table of numbers with keys from {_names(LIMITS)}", _is_static, {}),
    "goals": _Key("tables [goals.TRACK] of pass <= good <= great, shares of the baseline's speed", _is_goals, {}),
}
