"""Stubs are the solutions with their regions emptied; this is the only code that reads solutions/.

A region starts at a line `// SOLUTION: what to do` and ends at `// END SOLUTION` (`#` in Python). The stub keeps
what to do as a TODO. Where code is given that somebody has to mend, a line `// STUB: wrong code` stands above the
right one: then the stub keeps the region, with the wrong lines in the place of the right ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from grader.exercise import TRACKS, Exercise, ExerciseError, Submission

SOLUTIONS = "solutions"
"""The folder of the repository that holds them, by the same paths as levels/."""

_REGION = re.compile(
    r"^(?P<indent>[ \t]*)(?P<mark>//|#) SOLUTION: (?P<task>.*\n)(?P<body>(?:.*\n)*?)"
    r"(?P=indent)(?P=mark) END SOLUTION\n",
    re.MULTILINE,
)
_GIVEN = re.compile(r"^(?P<indent>[ \t]*)(?://|#) STUB:(?: (?P<wrong>.*))?\n.*\n", re.MULTILINE)


def make_stub(solution: str) -> str:
    """The stub of a solution file: each region becomes a TODO line (and a `pass` in Python), or code to mend."""

    def empty(region: re.Match[str]) -> str:
        todo = f"{region['indent']}{region['mark']} TODO: {region['task']}"
        if _GIVEN.search(region["body"]):
            return todo + _GIVEN.sub(_wrong_line, region["body"])
        return todo + (f"{region['indent']}pass\n" if region["mark"] == "#" else "")

    return _REGION.sub(empty, solution)


def _wrong_line(given: re.Match[str]) -> str:
    """What stands in the stub for a `STUB:` line and the right one below it; nothing where no wrong code is given."""
    return "" if given["wrong"] is None else f"{given['indent']}{given['wrong']}\n"


def stubs(root: Path, exercises: Iterable[Exercise]) -> Iterator[tuple[Path, str]]:
    """Every stub's path under levels/ and what it should hold. Raises ExerciseError for a missing or bad solution."""
    for exercise in exercises:
        for track in exercise.tracks:
            for name in TRACKS[track]:
                source = solution_path(root, exercise, name)
                if not source.is_file():
                    raise ExerciseError(f"{source}: missing; every track needs a solution to make its stub from")
                yield exercise.folder / name, checked_stub(source.read_text(encoding="utf-8"), str(source))


def stale(root: Path, exercises: Iterable[Exercise]) -> list[tuple[Path, str]]:
    """The stubs that are not what they should be, and what they should be. Raises ExerciseError."""
    return [
        (path, text)
        for path, text in stubs(root, exercises)
        if not path.is_file() or path.read_bytes() != text.encode()
    ]


def is_to_mend(root: Path, submission: Submission) -> bool:
    """Whether the stub is wrong code that somebody has to mend, and no empty region (or an empty answer)."""
    if submission.track == "answer":
        return False
    sources = (solution_path(root, submission.exercise, path.name) for path in submission.files)
    return any(_GIVEN.search(source.read_text(encoding="utf-8")) for source in sources)


def solution_path(root: Path, exercise: Exercise, name: str) -> Path:
    """Where the solution of a stub lies, unless a course has taken it away."""
    return root / SOLUTIONS / exercise.id / name


def checked_stub(solution: str, source: str) -> str:
    """The stub of a solution that came from `source`. Raises ExerciseError where a region is not as it should be."""
    stub = make_stub(solution)
    left = re.search("SOLUTION|STUB:", stub)
    if left:
        line = stub.count("\n", 0, left.start()) + 1
        raise ExerciseError(f"{source}: a region does not begin and end as it should (line {line} of its stub)")
    return stub
