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


def _one_of(*names: str) -> Callable[[str | None], str | None]:
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
        callback=_one_of(*TRACKS),
        autocompletion=lambda: list(TRACKS),
    ),
]
TreeOption = Annotated[
    Path | None,
    typer.Option("--from", help="Take the files below this folder instead of those in levels/.", metavar="DIR"),
]
BackendOption = Annotated[
    str,
    typer.Option(
        help="Where kernels run.",
        metavar="|".join(BACKENDS),
        callback=_one_of(*BACKENDS),
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
    """The folder that the submissions to `exercises` are read from. Raises TargetError."""
    from grader.discover import TargetError

    if tree is None:
        return root / "levels"
    if not tree.is_dir():
        inside = root / tree
        if not inside.is_dir():
            raise TargetError(f"--from {tree}: no such folder")
        tree = inside
    try:
        below = sorted(path for path in tree.iterdir() if path.is_dir())
    except OSError as error:
        raise TargetError(f"--from {tree}: cannot be read: {error.strerror}") from None
    if not _holds(tree, exercises):
        near = [path for path in (*tree.resolve().parents, *below) if _holds(path, exercises)]
        if near:
            level = exercises[0].id.partition("/")[0]
            meant = " or ".join(f"--from {os.path.relpath(path)}" for path in near)
            raise TargetError(f"--from {tree}: it wants the folder that contains {level}/; did you mean {meant}?")
    return tree


def _holds(tree: Path, exercises: Sequence[Exercise]) -> bool:
    return any((tree / exercise.id).is_dir() for exercise in exercises)


def check_report(target: str | None, option: str = "--json") -> None:
    """Whether the file of --json, or of another `option`, can be written. Raises TargetError."""
    from grader.discover import TargetError

    if target in (None, "-"):
        return
    if not target:
        raise TargetError(f"{option} '': name a file, or - for standard output")
    path = Path(target)
    if path.is_dir():
        raise TargetError(f"{option} {target}: is a folder; name a file in it")
    if not path.parent.is_dir():
        raise TargetError(f"{option} {target}: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise TargetError(f"{option} {target}: cannot be written: permission denied")


def choose_backend(name: str, arch: str | None) -> Backend:
    """The backend called `name`, aimed at `arch`. Raises GraderError, ArchError."""
    from grader import backends

    backend = backends.get(name)
    if arch is not None:
        backend.aim(arch)
    return backend
