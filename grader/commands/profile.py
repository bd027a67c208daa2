"""`grade profile`: one call of one exercise's kernels, counted line by line."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.commands.options import (
    ArchOption,
    BackendOption,
    ExerciseArgument,
    SeedOption,
    TrackOption,
    TreeOption,
    choose_backend,
    one_exercise,
    submission_tree,
)
from grader.exercise import Case, Exercise, Submission

if TYPE_CHECKING:
    from grader.backends import Backend

DEADLINE = 120.0
"""Seconds that the call may take: the learner chose its size, and waits for it."""


def _lines(value: int) -> int:
    if value < 0:
        raise typer.BadParameter(f"{value} lines cannot be shown; 0 shows only what they come to")
    return value


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(epilog="Example: grade profile tiled_matmul --track cuda --case m=128,n=128,k=64")
def profile(
    target: ExerciseArgument = None,
    track: TrackOption = None,
    tree: TreeOption = None,
    sizes: Annotated[
        str | None,
        typer.Option(
            "--case", help="The sizes of the call: n=4096,k=64. By default its largest case.", metavar="SIZES"
        ),
    ] = None,
    top: Annotated[
        int,
        typer.Option(
            help="How many lines to show, those with the most instructions; 0: only what they come to.",
            metavar="N",
            callback=_lines,
        ),
    ] = 20,
    backend: BackendOption = "auto",
    arch: ArchOption = None,
    seed: SeedOption = None,
) -> None:
    """Count what each line of an exercise's kernels does: transactions, active lanes, bytes, flops.

    Nothing is timed: the virtual GPU executes the compiler's own instructions and counts them. At most three lines
    that would be worth changing come with the reason.
    """
    from grader import discover

    root = discover.find_root(Path.cwd())
    exercise = one_exercise(root, target, "profile")
    chosen = discover.submissions([exercise], submission_tree(tree, root, [exercise]), track)
    chosen = [each for one in chosen for each in (one.exercise.implementations if one.track == "answer" else [one])]
    case = chosen_case(exercise, sizes) if sizes else None
    device = choose_backend(backend, arch)
    if device.name != "vgpu":
        raise discover.TargetError(
            "counts by line come from the virtual GPU: add --backend vgpu (a machine with a GPU runs it, too)"
        )
    raise typer.Exit(_run(chosen, root, device, case, top, secrets.randbits(32) if seed is None else seed))


def chosen_case(exercise: Exercise, text: str) -> Case:
    """ "n=64,alpha=0.5" as a case; names that it leaves out are as in the exercise's first. Raises TargetError."""
    from grader.discover import TargetError

    first = exercise.cases[0]
    given = dict(part.partition("=")[::2] for part in text.replace(" ", "").split(","))
    try:
        values = {name: type(first[name])(value) for name, value in given.items()}
    except (KeyError, ValueError):
        shape = ",".join(f"{name}={value}" for name, value in first.items())
        raise TargetError(f"--case {text}: write it like {shape}") from None
    if any(isinstance(value, int) and value < 1 for value in values.values()):
        raise TargetError(f"--case {text}: sizes start at 1")
    return {**first, **values}


def _run(chosen: list[Submission], root: Path, backend: Backend, case: Case | None, top: int, seed: int) -> int:
    """Profile each submission and print it; 1 if there is one that cannot be profiled, or that is wrong."""
    from grader.commands.profile_view import ProfileView
    from grader.sandbox import Zygote

    failed = False
    with Zygote(backend.environment()) as zygote:
        backend.describe()  # imports torch, as the zygote does meanwhile
        from grader.contract import load_contract
        from grader.dialogue import Stop, load
        from grader.profiling import largest_case, profile
        from grader.runner import protected

        view = ProfileView(top)
        for submission in chosen:
            if submission.missing:
                view.stopped(submission, submission.lack, "")
                failed = True
                continue
            contract = load_contract(submission.exercise)
            dtype = submission.dtypes[0]
            size = case or largest_case(contract, dtype)
            with zygote.worker() as worker:
                try:
                    load(worker, DEADLINE, contract, submission, protected(root))
                    profiled = profile(worker, DEADLINE, contract, size, dtype, seed)
                except Stop as stop:
                    view.stopped(submission, str(stop), stop.detail)
                    failed = True
                else:
                    view.profiled(submission, size, dtype, profiled)
                    failed = failed or bool(profiled.errors) or not profiled.kernels
        view.then(chosen[0].exercise.slug)
    return int(failed)
