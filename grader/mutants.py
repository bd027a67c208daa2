"""Mutants: solutions with one named edit, which must fail and be told so in the right words.

They lie in tests/mutants/, a file for each exercise. A GPU does not see what the virtual GPU reports by line (races,
accesses out of bounds, ...): there a mutant must fail by its results, whatever the words. What even that need not
show is marked with the reason: `vgpu_only = "why"`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.exercise import TRACKS, Exercise, ExerciseError, Submission
from grader.outcome import Verdict
from grader.stubs import solution_path

REQUIRED = ("name", "file", "find", "replace", "expect")

ENOUGH = 4
"""Mutants that every exercise has at least, one or more in each of its tracks."""


@dataclass(frozen=True)
class Mutant:
    """In `file` of the solution `find`, which occurs once, becomes `replace`. The report must say `expect`, which may
    differ by backend; `vgpu_only` says why a GPU may well run it with the right result, "" where it may not.
    """

    name: str
    file: str
    find: str
    replace: str
    expect: str | Mapping[str, str]
    vgpu_only: str = ""

    @property
    def track(self) -> str:
        return track_of(self.file)


def track_of(file: str) -> str:
    """The track that a file of this name belongs to. Raises KeyError for none."""
    for track, files in TRACKS.items():
        if file in files:
            return track
    raise KeyError(file)


def mutants_path(root: Path, exercise_id: str) -> Path:
    """Where the mutants of an exercise are."""
    return root / "tests" / "mutants" / f"{exercise_id}.toml"


def read_mutants(root: Path, exercise_id: str) -> list[Mutant]:
    """An exercise's mutants, none where there is no file. Raises ExerciseError."""
    path = mutants_path(root, exercise_id)
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ExerciseError(f"{path}: cannot be read: {error}") from None
    rows = raw.get("mutant")
    if set(raw) != {"mutant"} or not isinstance(rows, list):
        raise ExerciseError(f"{path}: it holds tables [[mutant]], and nothing else")
    return [_mutant(path, number, row) for number, row in enumerate(rows, 1)]


def _mutant(path: Path, number: int, row: Any) -> Mutant:
    where = f"{path}: [[mutant]] {number}"
    for key in REQUIRED:
        if key not in row:
            raise ExerciseError(f"{where}: `{key}` is missing; a mutant has {', '.join(REQUIRED)}")
    unknown = sorted(row.keys() - {*REQUIRED, "vgpu_only"})
    if unknown:
        raise ExerciseError(f"{where}: unknown key `{unknown[0]}`; it may also have vgpu_only")
    if row["file"] not in {name for files in TRACKS.values() for name in files}:
        raise ExerciseError(f"{where}: no track has a file {row['file']!r}")
    return Mutant(**row)


def mutate(root: Path, exercise: Exercise, mutant: Mutant, folder: Path) -> Submission:
    """The mutant as a submission, its files written into `folder`. Raises ExerciseError."""
    return edited_solution(root, exercise, mutant.track, folder, {mutant.file: (mutant.find, mutant.replace)})


def edited_solution(
    root: Path, exercise: Exercise, track: str, folder: Path, edits: Mapping[str, tuple[str, str]]
) -> Submission:
    """A copy of a solution in `folder` with (find, replace) applied to its files, by name.

    Raises ExerciseError where something is not found exactly once.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in TRACKS[track]:
        source = solution_path(root, exercise, name)
        text = source.read_text(encoding="utf-8")
        if name in edits:
            find, replace = edits[name]
            if text.count(find) != 1:
                raise ExerciseError(f"{source} holds {find!r} {text.count(find)} times; an edit needs it once")
            text = text.replace(find, replace)
        (folder / name).write_text(text, encoding="utf-8")
    return Submission(exercise, track, folder)


def survived(mutant: Mutant, verdict: Verdict, backend: str) -> str:
    """Why the verdict on a mutant is not the one that it must get on that backend; "" where it is."""
    if verdict.grade != "failed":
        return f"is {verdict.grade}, and must fail: {verdict.reason}"
    expected = _expected(mutant.expect, backend)
    if expected not in f"{verdict.reason}\n{verdict.outcome.detail}":
        return f"fails, but is not told {expected!r}: {verdict.reason}"
    return ""


def _expected(words: str | Mapping[str, str], backend: str) -> str:
    """What the report says on this backend."""
    from grader.vgpu.findings import REMEDIES  # heavy, and a list of mutants does without it

    if not isinstance(words, str):
        return words[backend]
    return "" if backend == "gpu" and any(kind in words for kind in (*REMEDIES, "barrier")) else words
