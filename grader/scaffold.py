"""A new exercise that already runs: grader/template/ is a small one in full, and takes on the name asked for."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.discover import TargetError, exercise_ids, level_of, matching, read
from grader.exercise import TRACKS, Exercise
from grader.mutants import mutants_path, track_of
from grader.outcome import GraderError
from grader.page import HEADINGS, lesson_order, read_page, section
from grader.reportfiles import replace_file
from grader.stubs import SOLUTIONS, make_stub

TEMPLATE = Path(__file__).parent / "template"

NAME, TITLE = "my_exercise", "My exercise"
"""What the template is called."""

LONGEST = 40
"""Characters of a name: it stands in every line of a report."""

LEVELS = 8
"""Of the ladder, as README.md lists them; a course may have more."""

LESSON = "# Level {number}\n\n## The exercises\n| | exercise | you learn |\n|---|---|---|\n"
"""The README.md of a level that is not there yet."""


def plan(root: Path, level: str, name: str, drill: bool, tracks: Sequence[str]) -> dict[Path, str]:
    """Every file of a new exercise and what it holds, the level's lesson with its new row last. Nothing is written.

    Raises TargetError for a level or a name that will not do.
    """
    number = _level(root, level)
    _check_name(root, name)
    ids = exercise_ids(root)
    folder = f"drills/{name}" if drill else f"{_next_rung(ids, level):02}_{name}"
    exercise_id = f"{level}/{folder}"
    levels, solutions = root / "levels" / exercise_id, root / SOLUTIONS / exercise_id
    mutants = mutants_path(root, exercise_id)
    for path in (levels, solutions, mutants):
        if path.exists():
            raise TargetError(
                f"{path.relative_to(root).as_posix()} is there already; choose another name, or remove it"
            )
    phase = _phase(root, ids, level, number)
    files = {
        levels / "README.md": _page(name, drill, folder, tracks),
        levels / "exercise.toml": _manifest(name, tracks, phase),
        levels / "reference.py": _named("reference.py", name),
    }
    for track in tracks:
        for file in TRACKS[track]:
            files[solutions / file] = _named(file, name)
            files[levels / file] = make_stub(files[solutions / file])
    files[mutants] = _mutants(name, tracks)
    lesson = root / "levels" / level / "README.md"
    text = lesson.read_text(encoding="utf-8") if lesson.is_file() else LESSON.format(number=number)
    return files | {lesson: _with_row(text, lesson_order(lesson.parent), folder, name)}


def write(files: Mapping[Path, str]) -> None:
    """Write the files of a plan; where that fails, none of the new ones is left. Raises GraderError."""
    made: list[Path] = []
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                made.append(path)
            replace_file(path, text)
    except OSError as error:
        for path in made:
            path.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # a folder that is not empty stays
                for folder in path.parents:
                    folder.rmdir()
        raise GraderError(f"cannot write {error.filename}: {error.strerror}; nothing was made") from None


def untouched(exercise: Exercise) -> list[str]:
    """The sections of an exercise's page that still are the template's."""
    fresh = _page(exercise.slug, exercise.is_drill, exercise.folder.name, exercise.tracks)
    page = read_page(exercise)
    return [heading for heading in HEADINGS[:-1] if section(page, heading) == section(fresh, heading)]


def _level(root: Path, level: str) -> int:
    """Its number. Beyond the ladder's own only a level that has its folder: a slip of the finger makes none."""
    found = re.fullmatch(r"level([1-9]\d?)", level)
    if not found:
        raise TargetError(
            f"{level!r} is no level: the ladder has level1 to level{LEVELS}; for example: grade new level3 {NAME}"
        )
    number = int(found[1])
    if number > LEVELS and not (root / "levels" / level).is_dir():
        raise TargetError(
            f"{level}: the ladder has level1 to level{LEVELS}; for one more, make its folder first: "
            f"mkdir levels/{level}"
        )
    return number


def _check_name(root: Path, name: str) -> None:
    """Names stand in commands, in paths and in code. Raises TargetError."""
    from grader.commands import COMMANDS

    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or len(name) > LONGEST:
        like = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()).strip("_0123456789")
        meant = f"; how about {like[:LONGEST].strip('_')}?" if like else f"; for example: grade new level3 {NAME}"
        raise TargetError(
            f"{name!r}: a name is made of small letters, digits and single _, begins with a letter and has at most "
            f"{LONGEST} characters{meant}"
        )
    if name in COMMANDS or name in ("all", "drills", "levels", *TRACKS) or re.fullmatch(r"level\d+", name):
        raise TargetError(f"{name!r} means something else already: grade {name}; choose another name")
    try:
        (taken, *_) = matching(root, [name])
    except TargetError:
        return
    raise TargetError(f"{name!r} is the name of levels/{taken} already; all names: grade list")


def _next_rung(ids: Sequence[str], level: str) -> int:
    """The number after the level's last; where another level has that one, the number after the whole ladder's."""
    numbers: dict[str, list[int]] = {}
    for one in ids:
        if "/drills/" not in one:
            numbers.setdefault(level_of(one), []).append(int(one.rpartition("/")[2].partition("_")[0]))
    every = [number for row in numbers.values() for number in row]
    wanted = max(numbers.get(level, every), default=0) + 1
    return wanted if wanted not in every else max(every) + 1


def _phase(root: Path, ids: Sequence[str], level: str, number: int) -> float:
    """The roadmap's phase: that of the level's last exercise."""
    mine = [one for one in ids if level_of(one) == level]
    return read(root, mine[-1]).phase if mine else number


def _named(file: str, name: str) -> str:
    """A file of the template under the new name."""
    text = (TEMPLATE / file).read_text(encoding="utf-8")
    title = _title(name)
    return text.replace(NAME, name).replace(TITLE, title).replace(TITLE.lower(), title.lower())


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _page(name: str, drill: bool, folder: str, tracks: Sequence[str]) -> str:
    text = _only(tracks, _named("README.md", name), r"^(?:- {0}: |\| {0} \|).*\n", re.IGNORECASE | re.MULTILINE)
    if drill:
        return text
    number = int(folder.partition("_")[0])
    return text.replace("# Drill · ", f"# {number} · ", 1).replace("](../../README.md)", "](../README.md)")


def _manifest(name: str, tracks: Sequence[str], phase: float) -> str:
    text = _only(tracks, _named("exercise.toml", name), r"\n\[goals\.{0}\]\n(?:.+\n)*", re.NOFLAG)
    types = ", ".join(f'{track} = ["float32"]' for track in tracks)
    text = re.sub(r"^dtypes .*", f"dtypes  = {{ {types} }}", text, count=1, flags=re.MULTILINE)
    return re.sub(r"^phase .*", f"phase   = {phase:g}", text, count=1, flags=re.MULTILINE)


def _mutants(name: str, tracks: Sequence[str]) -> str:
    head = "[[mutant]]"
    rows = _named("mutants.toml", name).split(head)[1:]
    mine = [row.strip() for row in rows if track_of(re.findall(r'^file += "(.*)"', row, re.MULTILINE)[0]) in tracks]
    return "\n\n".join(f"{head}\n{row}" for row in mine) + "\n"


def _only(tracks: Sequence[str], text: str, pattern: str, flags: re.RegexFlag) -> str:
    """`text` without what `pattern` finds of the tracks that are not wanted."""
    for track in TRACKS:
        if track not in tracks:
            text = re.sub(pattern.format(track), "", text, flags=flags)
    return text


def _with_row(lesson: str, order: Sequence[str], folder: str, name: str) -> str:
    """The lesson with a row for the new exercise after the last one that it lists; at its end where it lists none."""
    number = "drill" if folder.startswith("drills/") else str(int(folder.partition("_")[0]))
    row = f"| {number} | [{name}]({folder}/README.md) | {_title(name).lower()} |\n"
    lines = lesson.splitlines(keepends=True)
    links = [at for at, line in enumerate(lines) if any(f"]({one}/README.md)" in line for one in order)]
    rows = [at for at in links if lines[at].startswith("|")]
    if not rows:
        return lesson + row if lesson.endswith("|\n") else f"{lesson.rstrip()}\n\n- [{name}]({folder}/README.md)\n"
    return "".join([*lines[: rows[-1] + 1], row, *lines[rows[-1] + 1 :]])
