"""The options that several commands share, and what they stand for."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.exercise import TRACKS

if TYPE_CHECKING:
    from grader.backends import Backend

Track = StrEnum("Track", list(TRACKS))  # type: ignore[misc]
BackendName = StrEnum("BackendName", ["auto", "gpu", "vgpu"])

TrackOption = Annotated[Track | None, typer.Option(help="Only this track.")]
TreeOption = Annotated[
    Path | None, typer.Option("--from", help="Take the files below this folder instead of those in levels/.")
]
BackendOption = Annotated[BackendName, typer.Option(help="Where kernels run.")]
SeedOption = Annotated[int | None, typer.Option(help="Replay a run: the same inputs again.", min=0)]
ArchOption = Annotated[
    str | None, typer.Option(help="Without a GPU: whose registers and occupancy to report, such as sm_90.")
]


def submission_tree(tree: Path | None, root: Path) -> Path:
    """The folder that submissions are read from. Raises TargetError."""
    from grader.discover import TargetError

    if tree is None:
        return root / "levels"
    if not tree.is_dir():
        inside = root / tree
        if not inside.is_dir():
            raise TargetError(f"--from {tree}: no such folder")
        tree = inside
    try:
        next(tree.iterdir(), None)
    except OSError as error:
        raise TargetError(f"--from {tree}: cannot be read: {error.strerror}") from None
    return tree


def choose_backend(name: str, arch: str | None) -> Backend:
    """The backend called `name`, aimed at `arch`. Raises GraderError, ArchError."""
    from grader import backends

    backend = backends.get(name)
    if arch is not None:
        backend.aim(arch)
    return backend
