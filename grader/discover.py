"""The tree under levels/ is the registry: finds its exercises and turns targets into selections."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.exercise import Exercise, Submission
from grader.manifest import read_manifest


class TargetError(Exception):
    """The command names something that does not exist; the message suggests what does."""


def find_root(start: Path) -> Path:
    """The nearest folder at or above `start` that holds levels/; else the one this package was installed from."""
    for folder in (start, *start.parents):
        if (folder / "levels").is_dir():
            return folder
    checkout = Path(__file__).resolve().parent.parent
    if (checkout / "levels").is_dir():
        return checkout
    raise TargetError(f"no levels/ folder in {start} or above it; run `grade` inside a clone of Kernel Ladder")


def exercise_ids(root: Path) -> list[str]:
    """Every exercise's id: level by level, its rungs by number, then its drills by name."""
    levels = sorted((path for path in (root / "levels").glob("level*") if path.is_dir()), key=_level_number)
    ids: list[str] = []
    for level in levels:
        rungs = sorted(path for path in level.iterdir() if path.is_dir() and path.name[:1].isdigit())
        drills = sorted(path for path in (level / "drills").glob("*") if path.is_dir())
        folders = [path for path in (*rungs, *drills) if not path.name.startswith((".", "__"))]
        ids += [path.relative_to(root / "levels").as_posix() for path in folders]
    return ids


def select(root: Path, targets: Sequence[str]) -> list[Exercise]:
    """The exercises that `targets` name, each once, in the order asked for. Raises TargetError, ExerciseError.

    A target is "all", "level3", "level3/12", "level3/12_tiled_matmul", "level1/drills", "level1/drills/clamp"
    or a bare name such as "tiled_matmul".
    """
    ids = exercise_ids(root)
    chosen: dict[str, None] = {}
    for target in targets:
        matches = [exercise_id for exercise_id in ids if _matches(target.strip("/"), exercise_id)]
        if not matches:
            raise TargetError(_suggest(target, ids))
        chosen.update(dict.fromkeys(matches))
    return [read_manifest(root / "levels" / exercise_id, exercise_id) for exercise_id in chosen]


def submissions(exercises: Iterable[Exercise], tree: Path, track: str | None) -> list[Submission]:
    """One submission for each exercise and track, its files expected under `tree`."""
    return [
        Submission(exercise, name, tree / exercise.id)
        for exercise in exercises
        for name in exercise.tracks
        if track in (None, name)
    ]


def _matches(target: str, exercise_id: str) -> bool:
    if target.startswith("levels/"):  # what a shell's completion offers
        target = target.removeprefix("levels/")
    level, _, rest = exercise_id.partition("/")
    name = rest.rpartition("/")[2]
    slug = name if rest.startswith("drills/") else name.partition("_")[2]
    number = name.partition("_")[0] if name[:1].isdigit() else None
    places = {"all", level, rest.rpartition("/")[0] and f"{level}/drills", exercise_id, name, slug, f"{level}/{slug}"}
    if number is not None:
        places |= {f"{level}/{number}", f"{level}/{int(number)}"}
    return target in places - {""}


def _suggest(target: str, ids: list[str]) -> str:
    names = {"all"}
    for exercise_id in ids:
        level, _, rest = exercise_id.partition("/")
        slug = rest.rpartition("/")[2]
        names |= {level, exercise_id, slug.partition("_")[2] if slug[:1].isdigit() else slug}
        if rest.startswith("drills/"):
            names.add(f"{level}/drills")
    near = difflib.get_close_matches(target, sorted(names), 3, cutoff=0.5)
    if near:
        return f"no exercise or level is called {target!r}; did you mean {' or '.join(near)}?"
    levels = sorted({exercise_id.partition("/")[0] for exercise_id in ids}, key=lambda name: (len(name), name))
    return f"no exercise or level is called {target!r}; there are: {', '.join(levels)}, all"


def _level_number(path: Path) -> tuple[int, str]:
    digits = path.name.removeprefix("level")
    return (int(digits) if digits.isdigit() else 99, path.name)
