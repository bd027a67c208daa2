"""What `grade check` can say of an exercise without running anything: its manifest, page, stubs, cases, goals, files.

Each function returns what is wrong, a sentence for each fault, and nothing where all is well. Tests call the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.contract import load_contract
from grader.discover import level_of
from grader.exercise import TRACKS, Exercise, ExerciseError
from grader.mutants import ENOUGH, Mutant, mutants_path
from grader.page import HEADINGS, broken_links, headings, hints, lesson_order, read_page
from grader.stubs import SOLUTIONS, stale, stubs

CHECKS = (
    *("manifest", "reference", "page", "lesson", "cases", "goals", "files"),
    *("stubs", "compiles", "fails", "passes", "mutants"),
)
"""What is looked at, in this order: first what can be read, then what must be run."""

LEAST_CASES, LEAST_HINTS = 6, 2

FURNITURE = frozenset({"README.md", "exercise.toml", "reference.py"})
"""What lies in an exercise's folder besides the files of its tracks."""


@dataclass(frozen=True)
class Finding:
    """One check of one exercise (or of the whole tree). `state` is "ok", "failed", "not run" where something failed
    before it, or "left out" where this tree has not what it is about: a course may take that away.
    """

    exercise: str
    check: str
    state: str
    text: str


def reference_faults(exercise: Exercise) -> list[str]:
    """reference.py can be imported and fits the cases."""
    try:
        contract = load_contract(exercise)
        for case in (*exercise.cases, *exercise.hidden):
            contract.signature(case)
            contract.operations(case)
    except ExerciseError as error:
        return [str(error)]
    return []


def page_faults(exercise: Exercise) -> list[str]:
    """README.md has its sections, the command, folded hints, and no link into nowhere."""
    try:
        page = read_page(exercise)
    except ExerciseError as error:
        return [str(error)]
    faults = []
    if headings(page) != list(HEADINGS):
        faults.append(f"its sections are {', '.join(headings(page))}; they must be {', '.join(HEADINGS)}")
    if f"grade {exercise.slug}" not in page:
        faults.append(f"it does not say how to grade it: grade {exercise.slug}")
    folds = hints(page)
    if len(folds) < LEAST_HINTS:
        faults.append(f"{len(folds)} folded hints below Hints; at least {LEAST_HINTS} (<details><summary>)")
    if len(folds) != page.count("<details>") or page.count("<details>") != page.count("</details>"):
        faults.append("a <details> is no hint: it has no end, no <summary>, or does not stand below Hints")
    if not all(fold.title and fold.text for fold in folds):
        faults.append("a hint is empty")
    call = _call(exercise)
    if call not in page:
        faults.append(f"it does not say what the grader calls: {call}")
    return faults + [f"a link leads to {target}, which is not there" for target in broken_links(_page(exercise))]


def _call(exercise: Exercise) -> str:
    """ "solve(x, out, n)"; "" where that is not known, or where nobody has to write it."""
    if exercise.tracks == ("answer",):
        return ""
    try:
        contract = load_contract(exercise)
    except ExerciseError:
        return ""
    return f"solve({', '.join(contract.signature(exercise.cases[0]))})"


def _page(exercise: Exercise) -> Path:
    return exercise.folder / "README.md"


def lesson_faults(root: Path, exercise: Exercise) -> list[str]:
    """The level's README.md links to the exercise, which is how `grade next` knows its place."""
    level, _, rest = exercise.id.partition("/")
    lesson = root / "levels" / level / "README.md"
    if not lesson.is_file():
        return [f"levels/{level}/README.md is missing; it is the level's lesson and lists its exercises"]
    if rest not in lesson_order(lesson.parent):
        return [f"levels/{level}/README.md does not link to {rest}/README.md: give it a row among the exercises"]
    return []


def case_faults(exercise: Exercise) -> list[str]:
    """Enough sizes, and one that no power of two divides evenly: most mistakes show only there."""
    faults = []
    if len(exercise.cases) < LEAST_CASES and exercise.tracks != ("answer",):
        faults.append(f'{len(exercise.cases)} cases; at least {LEAST_CASES} (a size "awkward" makes twelve)')
    sizes = {value for case in exercise.cases for value in case.values() if isinstance(value, int)}
    if not any(size & (size - 1) for size in sizes):
        faults.append("every size is a power of two: add a ragged one, such as 257 or 1000")
    return faults


def goal_faults(exercise: Exercise) -> list[str]:
    """Goals that rise, for tracks that there are; and points that can be earned."""
    faults = [f"[goals.{track}]: no such track here" for track in exercise.goals if track not in exercise.dtypes]
    for track, goals in exercise.goals.items():
        if not goals.passing < goals.good < goals.great:
            figures = f"{goals.passing:g}, {goals.good:g}, {goals.great:g}"
            faults.append(f"[goals.{track}]: pass < good < great is wanted, not {figures}")
    if not exercise.goals and exercise.points["fast"]:
        faults.append("points.fast can never be earned: there are no goals, so nothing is timed")
    return faults


def file_faults(root: Path, exercise: Exercise) -> list[str]:
    """Only what belongs there lies in the exercise's folder, in its solution's and in its naive kernels'."""
    mine = {name for track in exercise.tracks for name in TRACKS[track]}
    shown = {path.name for path in _linked(exercise)}
    faults = []
    for path in _files(exercise.folder):
        inside = path.parent != exercise.folder
        known = path.parent in {one.folder for one in exercise.implementations} and "answer" in exercise.tracks
        if (inside and not known) or (not inside and path.name not in FURNITURE | mine | shown):
            faults.append(f"stray: {path.relative_to(root).as_posix()}")
    for tree in (SOLUTIONS, "tests/naive"):
        folder = root / tree / exercise.id
        faults += [
            f"stray: {path.relative_to(root).as_posix()}"
            for path in _files(folder)
            if path.parent != folder or path.name not in mine
        ]
    return faults


def _linked(exercise: Exercise) -> Iterator[Path]:
    """Pictures and the like beside the page that it shows."""
    if _page(exercise).is_file():
        page = _page(exercise).read_text(encoding="utf-8", errors="replace")
        yield from (path for path in exercise.folder.iterdir() if path.is_file() and f"]({path.name})" in page)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def stub_faults(root: Path, exercise: Exercise) -> list[str]:
    """Every stub is what its solution gives, and leaves something to do in each track."""
    try:
        old = stale(root, [exercise])
        texts = list(stubs(root, [exercise]))
    except ExerciseError as error:
        return [str(error)]
    names = ", ".join(path.name for path, _ in old)
    faults = [f"stale: {names}; python scripts/make_stubs.py {exercise.slug}"] if old else []
    for track in exercise.tracks:
        if not any("TODO: " in text for path, text in texts if path.name in TRACKS[track]):
            faults.append(f"the {track} solution has no region: put what is to be written between SOLUTION: and END")
    return faults


def mutant_faults(exercise: Exercise, mutants: list[Mutant]) -> list[str]:
    """There are enough mutants, and some of each track."""
    faults = [f"{len(mutants)} mutants; at least {ENOUGH}"] if len(mutants) < ENOUGH else []
    here = {mutant.track for mutant in mutants}
    faults += [f"none in the {track} track" for track in exercise.tracks if track not in here]
    return faults + [f"one in {track}, a track that is not here" for track in sorted(here - set(exercise.tracks))]


def leftovers(root: Path, ids: Sequence[str]) -> list[str]:
    """What an exercise that was taken away has left behind: solutions, mutants, naive kernels, links of lessons."""
    faults = []
    for tree in (SOLUTIONS, "tests/naive"):
        folders = {path.parent for path in _files(root / tree)}
        names = sorted(folder.relative_to(root / tree).as_posix() for folder in folders)
        faults += [f"{tree}/{name}: no exercise is called so" for name in names if name not in ids]
    for path in _files(mutants_path(root, "x").parent):
        name = path.relative_to(mutants_path(root, "x").parent).with_suffix("").as_posix()
        faults += [] if name in ids else [f"{path.relative_to(root).as_posix()}: no exercise is called so"]
    inhabited = set(map(level_of, ids))
    for level in sorted(path for path in (root / "levels").glob("level*") if path.is_dir()):
        lesson = level / "README.md"
        for target in broken_links(lesson) if lesson.is_file() else ():
            faults.append(f"levels/{level.name}/README.md links to {target}, which is not there")
        if level.name not in inhabited and any(_files(level)):
            faults.append(f"levels/{level.name}: a level without exercises")
    return faults
