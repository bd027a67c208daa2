"""The options that several commands share, and what they stand for."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.commands import completion
from grader.exercise import TRACKS, Exercise

if TYPE_CHECKING:
    from grader.backends import Backend

BACKENDS = ("auto", "gpu", "vgpu")


def one_of(*names: str) -> Callable[[str | None], str | None]:
    """A callback that takes only `names`."""

    def check(value: str | None) -> str | None:
        if value is not None and value not in names:
            raise typer.BadParameter(f"{value!r} is not one of {', '.join(map(repr, names))}")
        return value

    return check


def _not_negative(value: int | None) -> int | None:
    if value is not None and value < 0:
        raise typer.BadParameter(f"{value} is negative; seeds start at 0")
    return value


ExerciseArgument = Annotated[
    str | None,
    typer.Argument(help="One exercise.", metavar="EXERCISE", show_default=False, autocompletion=completion.exercises),
]
TargetsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        help="Only these: level1, level1/drills, gelu.",
        metavar="WHAT...",
        show_default=False,
        autocompletion=completion.targets,
    ),
]
TrackOption = Annotated[
    str | None,
    typer.Option(
        help="Only this track.",
        metavar="|".join(TRACKS),
        callback=one_of(*TRACKS),
        autocompletion=lambda: list(TRACKS),
    ),
]
TreeOption = Annotated[
    Path | None,
    typer.Option(
        "--from", help="Take the files in this folder or zip file instead of those in levels/.", metavar="DIR"
    ),
]
BackendOption = Annotated[
    str,
    typer.Option(
        help="Where kernels run.",
        metavar="|".join(BACKENDS),
        callback=one_of(*BACKENDS),
        autocompletion=lambda: list(BACKENDS),
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option(help="Replay a run: the same inputs again.", metavar="N", callback=_not_negative),
]
ArchOption = Annotated[
    str | None,
    typer.Option(help="Without a GPU: whose registers and occupancy to report, such as sm_90.", metavar="ARCH"),
]


JsonOption = Annotated[
    str | None, typer.Option("--json", help="Write every figure to FILE (- is stdout).", metavar="FILE")
]

GradescopeOption = Annotated[
    str | None, typer.Option("--gradescope", help="Write points as Gradescope's results.json.", metavar="FILE")
]
Classroom50Option = Annotated[
    str | None, typer.Option("--classroom50", help="Write points as Classroom 50's result.json.", metavar="FILE")
]
JUnitOption = Annotated[
    str | None, typer.Option("--junit", help="Write verdicts as JUnit XML, for CI.", metavar="FILE")
]
MarkdownOption = Annotated[
    str | None, typer.Option("--markdown", help="Write points and verdicts as a Markdown table.", metavar="FILE")
]


def one_exercise(root: Path, target: str | None, command: str) -> Exercise:
    """The exercise that `grade COMMAND TARGET` is about. Raises TargetError, ExerciseError."""
    from grader import discover

    if target is None:
        raise discover.TargetError(f"which exercise? For example: grade {command} vector_add")
    exercises = discover.select(root, [target])
    if len(exercises) > 1:
        raise discover.TargetError(
            f"one exercise at a time: {target!r} has {len(exercises)}; their names: grade list {target}"
        )
    return exercises[0]


def submission_tree(tree: Path | None, root: Path, exercises: Sequence[Exercise]) -> Path:
    """The folder that the submissions to `exercises` are read from. Raises TargetError, HandInError."""
    from grader.discover import TargetError
    from grader.outcome import HandInError

    if tree is None:
        return root / "levels"
    if not tree.exists():
        if ":/" in str(tree) or str(tree).startswith("git@"):
            raise TargetError(f"--from {tree}: an address; clone it first (git clone ... work), then: --from work")
        if not (root / tree).exists():
            raise TargetError(f"--from {tree}: no such folder or zip file")
        tree = root / tree
    if tree.is_file():
        return _unpacked(tree, exercises)
    try:
        below = sorted(path for path in tree.iterdir() if path.is_dir())
    except OSError as error:
        raise TargetError(f"--from {tree}: cannot be read: {error.strerror}") from None
    if not _holds(tree, exercises):
        near = [path for path in (*tree.resolve().parents, *below) if _holds(path, exercises)]
        if near:
            level = exercises[0].id.partition("/")[0]
            meant = " or ".join(f"--from {os.path.relpath(path)}" for path in near)
            raise HandInError(tree, f"it wants the folder that contains {level}/; did you mean {meant}?")
    return tree


def _unpacked(archive: Path, exercises: Sequence[Exercise]) -> Path:
    """The tree in a zip file, however many folders are around it, in a temporary folder. Raises HandInError."""
    from grader.archive import ArchiveError, unpack
    from grader.discover import level_of
    from grader.outcome import HandInError

    try:
        folder = unpack(archive)
    except ArchiveError as error:
        raise HandInError(archive, str(error)) from None
    folders = [folder, *sorted(path for path in folder.rglob("*") if path.is_dir())]
    trees = [path for path in folders if _holds(path, exercises)]
    if not trees:
        wanted = f"no folder {exercises[0].id}" if len(exercises) == 1 else f"nothing of {level_of(exercises[0].id)}"
        raise HandInError(archive, f"{wanted} is in it; zip the folder that holds level1/ and so on")
    if len(trees) > 1:
        names = " and ".join(path.relative_to(folder).as_posix() for path in trees[:2])
        raise HandInError(archive, f"the exercises are in it twice ({names}); leave one out")
    return trees[0]


def _holds(tree: Path, exercises: Sequence[Exercise]) -> bool:
    return any((tree / exercise.id).is_dir() for exercise in exercises)


def choose_backend(name: str, arch: str | None) -> Backend:
    """The backend called `name`, aimed at `arch`. Raises GraderError, ArchError."""
    from grader import backends

    backend = backends.get(name)
    if arch is not None:
        backend.aim(arch)
    return backend
