"""The options that several commands share, and what they stand for."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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


ExerciseArgument = Annotated[str | None, typer.Argument(help="One exercise.", metavar="EXERCISE", show_default=False)]
TrackOption = Annotated[
    str | None, typer.Option(help="Only this track.", metavar="|".join(TRACKS), callback=one_of(*TRACKS))
]
TreeOption = Annotated[
    Path | None,
    typer.Option("--from", help="Take the files below this folder instead of those in levels/.", metavar="DIR"),
]
BackendOption = Annotated[
    str, typer.Option(help="Where kernels run.", metavar="|".join(BACKENDS), callback=one_of(*BACKENDS))
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


def one_exercise(root: Path, target: str | None, command: str) -> Exercise:
    """The exercise that `grade COMMAND TARGET` is about. Raises TargetError, ExerciseError."""
    from grader import discover

    if target is None:
        raise discover.TargetError(f"which exercise? For example: grade {command} vector_add")
    exercises = discover.select(root, [target])
    if len(exercises) > 1:
        raise discover.TargetError(f"one exercise at a time: {target!r} has {len(exercises)}")
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


def check_report(target: str | None) -> None:
    """Whether --json can be written, before anything is graded. Raises TargetError."""
    from grader.discover import TargetError

    if target in (None, "-"):
        return
    if not target:
        raise TargetError("--json '': name a file, or - for standard output")
    path = Path(target)
    if path.is_dir():
        raise TargetError(f"--json {target}: is a folder; name a file in it")
    if not path.parent.is_dir():
        raise TargetError(f"--json {target}: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise TargetError(f"--json {target}: cannot be written: permission denied")


def choose_backend(name: str, arch: str | None) -> Backend:
    """The backend called `name`, aimed at `arch`. Raises GraderError, ArchError."""
    from grader import backends

    backend = backends.get(name)
    if arch is not None:
        backend.aim(arch)
    return backend
