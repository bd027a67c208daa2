"""exercise.toml: what may stand in it, and an error with file, line and remedy for everything else."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from grader.bounds import FAMILIES
from grader.data import ELEMENTWISE_KINDS, KINDS
from grader.exercise import TRACKS, Case, Exercise, ExerciseError

AWKWARD = (33, 1, 31, 32, 127, 128, 129, 255, 257, 1009, 1023, 1025)
"""Sizes on both sides of a warp, of common blocks and of common tiles, and a prime. The first is the one in which most
mistakes are met: small enough to read, large enough to show a pattern."""

DTYPES = ("float32", "float16", "bfloat16")


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
        raise ExerciseError(f"{path}: not valid TOML: {error}") from None
    reader = _Reader(path, text, raw)
    exercise = Exercise(
        id=exercise_id,
        folder=folder,
        title=reader.take("title", "a string", _is_text),
        concept=reader.take("concept", "a string", _is_text),
        phase=reader.take("phase", "a number, the roadmap's phase", _is_number),
        family=reader.take("family", f"one of {_names(FAMILIES)}", lambda value: value in FAMILIES),
        cases=tuple(case for row in reader.take("cases", _CASES, _is_cases) for case in _expand(row)),
        bench=reader.take("bench", "a table of numbers, the size that is timed", _is_case),
        needs=tuple(reader.take("needs", 'a list such as ["sm_89"]', _is_texts, [])),
        dtypes=reader.take("dtypes", _DTYPES, _is_dtypes, {track: ["float32"] for track in TRACKS}),
        kinds=tuple(reader.take("kinds", f"a list from {_names(KINDS)}", _is_kinds, ELEMENTWISE_KINDS)),
        atomics=reader.take("atomics", "true or false", lambda value: isinstance(value, bool), False),
    )
    reader.finish()
    sizes = [set(case) for case in (*exercise.cases, exercise.bench)]
    if any(names != sizes[0] for names in sizes):
        raise reader.error("cases", "every case, and bench, must give the same names")
    return exercise


class _Reader:
    """Hands out the keys of one manifest, each checked, and complains about those nobody asked for."""

    def __init__(self, path: Path, text: str, raw: dict[str, Any]) -> None:
        self.path, self.text, self.raw = path, text, raw
        self.known: list[str] = []

    def take(self, key: str, expected: str, valid: Callable[[Any], bool], default: Any = None) -> Any:
        self.known.append(key)
        if key not in self.raw:
            if default is None:
                raise ExerciseError(f"{self.path}: `{key}` is missing; it is {expected}")
            return default
        if not valid(self.raw[key]):
            raise self.error(key, f"expected {expected}")
        return self.raw[key]

    def finish(self) -> None:
        for key in self.raw:
            if key not in self.known:
                near = difflib.get_close_matches(key, self.known, 1)
                raise self.error(key, f"unknown key; did you mean `{near[0]}`?" if near else "unknown key")

    def error(self, key: str, message: str) -> ExerciseError:
        pattern = re.compile(rf"^\s*(\[+\s*)?[\"']?{re.escape(key)}[\"']?\s*[\]=.]", re.MULTILINE)
        found = pattern.search(self.text)
        line = self.text.count("\n", 0, found.end()) + 1 if found else 1
        return ExerciseError(f"{self.path}:{line}: `{key}`: {message}")


_CASES = 'a list of tables of numbers, such as { n = 257 }; a size may be "awkward"'
_DTYPES = f"a table from tracks ({', '.join(TRACKS)}) to lists of types ({', '.join(DTYPES)})"


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
    return isinstance(value, dict) and bool(value) and all(map(_is_number, value.values()))


def _is_cases(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(row, dict) and bool(row) for row in value)
        and all(item == "awkward" or _is_number(item) for row in value for item in row.values())
    )


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_kinds(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(kind in KINDS for kind in value)


def _is_dtypes(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(track in TRACKS for track in value)
        and all(isinstance(types, list) and bool(types) for types in value.values())
        and all(dtype in DTYPES for types in value.values() for dtype in types)
    )
