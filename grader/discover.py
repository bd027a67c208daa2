"""The tree under levels/ is the registry: finds its exercises and turns targets into selections."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Sequence
from pathlib import Path

from grader.exercise import Exercise, Submission
from grader.manifest import read_manifest
from grader.page import lesson_order

LEVELS = 8
"""How many there will be."""

SUGGESTIONS = 3
"""Names that are offered in the place of one that does not exist."""


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

    A target is "all", "level3", "level3/12", "level3/12_tiled_matmul", "level1/drills", "level1/drills/clamp",
    a bare name such as "tiled_matmul", or a path below levels/.
    """
    return [read(root, exercise_id) for exercise_id in matching(root, targets)]


def matching(root: Path, targets: Sequence[str]) -> list[str]:
    """The ids that `targets` name, as `select` takes them; their manifests are not read. Raises TargetError."""
    ids = exercise_ids(root)
    chosen: dict[str, None] = {}
    for target in targets:
        name = _below_levels(target, root)
        matches = [exercise_id for exercise_id in ids if _matches(name, exercise_id)]
        if not matches:
            raise TargetError(_suggest(name, target, ids))
        chosen.update(dict.fromkeys(matches))
    return list(chosen)


def read(root: Path, exercise_id: str) -> Exercise:
    """The exercise of that id. Raises ExerciseError."""
    return read_manifest(root / "levels" / exercise_id, exercise_id)


def roadmap(root: Path) -> list[str]:
    """Every exercise's id in the order in which it is best done: that of each level's lesson, then what it omits."""
    ids = exercise_ids(root)
    lessons = {level: lesson_order(root / "levels" / level) for level in dict.fromkeys(map(level_of, ids))}

    def place(exercise_id: str) -> int:
        level, _, rest = exercise_id.partition("/")
        return lessons[level].index(rest) if rest in lessons[level] else len(lessons[level])

    levels = list(lessons)
    return sorted(ids, key=lambda one: (levels.index(level_of(one)), place(one)))


def level_of(exercise_id: str) -> str:
    """ "level1" of "level1/drills/clamp"."""
    return exercise_id.partition("/")[0]


def slug_of(exercise_id: str) -> str:
    """The exercise's name without a rung's number: "vector_add" of "level1/01_vector_add"."""
    name = exercise_id.rpartition("/")[2]
    return name if "/drills/" in exercise_id else name.partition("_")[2]


def of_sort(exercises: Sequence[Exercise], rungs: bool, drills: bool) -> list[Exercise]:
    """Only the rungs, or only the drills, or all of `exercises`. Raises TargetError where none is left."""
    if rungs and drills:
        raise TargetError("--rungs and --drills exclude each other: leave both out to grade both")
    wanted = [one for one in exercises if one.is_drill == drills] if rungs or drills else list(exercises)
    if not wanted:
        sort, option = ("rung", "--drills") if drills else ("drill", "--rungs")
        what = f"{exercises[0].slug} is a {sort}" if len(exercises) == 1 else f"what was asked for are {sort}s"
        raise TargetError(f"nothing to grade: {what}; leave {option} out")
    return wanted


def submissions(exercises: Sequence[Exercise], tree: Path, track: str | None) -> list[Submission]:
    """One submission for each exercise and track, its files expected under `tree`. Raises TargetError for none."""
    chosen = [
        Submission(exercise, name, tree / exercise.id)
        for exercise in exercises
        for name in exercise.tracks
        if track in (None, name)
    ]
    if exercises and not chosen:
        only = " and ".join(exercises[0].tracks)
        what = f"{exercises[0].slug} has" if len(exercises) == 1 else "the exercises asked for have"
        raise TargetError(f"{what} only the {only} track{'s' * (' and ' in only)}")
    return chosen


def _below_levels(target: str, root: Path) -> str:
    """What `target` is called below levels/: a path to a folder there, or to a file in one, will do as well."""
    levels = (root / "levels").resolve()
    for base in (Path.cwd(), root):
        path = (base / target).resolve()
        if target and path.exists() and path.is_relative_to(levels):
            folder = path.parent if path.is_file() else path
            return folder.relative_to(levels).as_posix() if folder != levels else "all"
    return target.strip("/").removeprefix("levels/").lower()


def _matches(target: str, exercise_id: str) -> bool:
    level, _, rest = exercise_id.partition("/")
    name, slug = rest.rpartition("/")[2], slug_of(exercise_id)
    number = name.partition("_")[0] if name[:1].isdigit() else None
    places = {"all", level, rest.rpartition("/")[0] and f"{level}/drills", exercise_id, name, slug, f"{level}/{slug}"}
    if number is not None:
        places |= {f"{level}/{number}", f"{level}/{int(number)}"}
    return target in places - {""}


def _suggest(name: str, target: str, ids: Sequence[str]) -> str:
    """Why nothing is called `name`, which was asked for as `target`, and what there is instead."""
    levels = list(dict.fromkeys(exercise_id.partition("/")[0] for exercise_id in ids))
    there = f"there are: {', '.join(levels)}, all"
    level, _, rest = name.partition("/")
    number = re.fullmatch(r"level(\d+)", level)
    if number and level not in levels:
        if 1 <= int(number[1]) <= LEVELS:
            return f"level {number[1]} is not here yet; {there}"
        return f"there is no level {number[1]}, the ladder has {LEVELS}; {there}"
    if level in levels and rest == "*":
        return f"no exercise is called {target!r}; {level} alone means all of it"
    if level in levels and rest.isdigit():
        rungs = [
            int(one.rpartition("/")[2].partition("_")[0])
            for one in ids
            if one.startswith(f"{level}/") and "/drills/" not in one
        ]
        return f"{level} has no rung {int(rest)}: its rungs are {min(rungs)} to {max(rungs)}" if rungs else there
    elsewhere = _elsewhere(target, ids)
    if elsewhere:
        return elsewhere
    drills = dict.fromkeys(f"{one.partition('/')[0]}/drills" for one in ids if "/drills/" in one)
    names = ["all", *levels, *drills, *(ids if rest else map(slug_of, ids))]
    near = [one for one in names if len(name) > 2 and name in one]
    near += difflib.get_close_matches(name, names, SUGGESTIONS, cutoff=0.5)
    if near:
        offered = list(dict.fromkeys(near))[:SUGGESTIONS]
        return f"no exercise or level is called {target!r}; did you mean {' or '.join(offered)}?"
    return f"no exercise or level is called {target!r}; {there}; each by name: grade list"


def _elsewhere(target: str, ids: Sequence[str]) -> str | None:
    """What to say of a path to an exercise's folder, or to a file there, in some other tree than levels/."""
    path = Path(target)
    folder = path.parent if path.is_file() else path
    for tree in folder.parents if folder.is_dir() else ():
        inside = folder.relative_to(tree).as_posix()
        if any(f"{exercise_id}/".startswith(f"{inside}/") for exercise_id in ids):
            return f"{target} lies outside levels/; to grade it: grade {inside} --from {os.path.relpath(tree)}"
    return None


def _level_number(path: Path) -> tuple[int, str]:
    digits = path.name.removeprefix("level")
    return (int(digits) if digits.isdigit() else 99, path.name)
