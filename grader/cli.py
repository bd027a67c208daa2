"""The `grade` command."""

from __future__ import annotations

import gc
import os
import secrets
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader import commands
from grader.commands import completion
from grader.commands.options import (
    ArchOption,
    BackendOption,
    Classroom50Option,
    GradescopeOption,
    JsonOption,
    JUnitOption,
    MarkdownOption,
    SeedOption,
    TrackOption,
    TreeOption,
    choose_backend,
    submission_tree,
)
from grader.exercise import ExerciseError, Submission
from grader.journal import Journal
from grader.outcome import GraderError, HandInError, Verdict

if TYPE_CHECKING:
    from grader.backends import Backend
    from grader.reportfiles import Reports

EXAMPLES = (
    "Examples: grade vector_add · grade level1 --track triton · grade level1/drills --from solutions · grade all"
)
OTHERS = (f"grade {name.ljust(max(map(len, commands.COMMANDS)))}  {text}" for name, text in commands.COMMANDS.items())
EPILOG = "\n".join((f"{EXAMPLES}\n\nOther commands, each with a --help of its own:", *OTHERS))

VERBOSE = "Decode every failure, not just the first; show all prints and advice, and what each kernel costs."

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""

app = typer.Typer(pretty_exceptions_enable=False)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"kernel-ladder {version('kernel-ladder')}")
        raise typer.Exit


@app.command(epilog=EPILOG)
def grade(
    targets: Annotated[
        list[str] | None,
        typer.Argument(
            help="level1, level1/5, level1/drills, gelu, all; several at once",
            metavar="WHAT...",
            show_default=False,
            autocompletion=completion.first_words,
        ),
    ] = None,
    track: TrackOption = None,
    tree: TreeOption = None,
    backend: BackendOption = "auto",
    arch: ArchOption = None,
    seed: SeedOption = None,
    json_to: JsonOption = None,
    gradescope: GradescopeOption = None,
    classroom50: Classroom50Option = None,
    junit: JUnitOption = None,
    markdown: MarkdownOption = None,
    rungs: Annotated[bool, typer.Option("--rungs", help="Only the numbered rungs.", metavar="")] = False,
    drills: Annotated[bool, typer.Option("--drills", help="Only the drills.", metavar="")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help=VERBOSE, metavar="")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", metavar="", is_eager=True, callback=_version),
    ] = False,
) -> None:
    """Grade exercises: compile the kernels, run them, hold the results against the reference.

    Alone, it guides you: the exercise that is next, graded on each save, with keys for hints and the rest.

    Exit code 0: all passed; 1: not all did, or the hand-in is unreadable; 2: wrong use or broken exercise; 3: the
    machine is at fault; 130: Ctrl-C.
    """
    from grader import discover
    from grader.progress import own_tree
    from grader.reportfiles import Reports

    wanted = {
        "json": json_to,
        "gradescope": gradescope,
        "classroom50": classroom50,
        "junit": junit,
        "markdown": markdown,
    }
    if not targets:
        if tree or seed is not None or rungs or drills or verbose or any(one is not None for one in wanted.values()):
            raise discover.TargetError(f"what shall be graded? {EXAMPLES}")
        _guide(track, backend, arch)
        return
    with Reports(wanted, datetime.now(UTC)) as reports:
        root = discover.find_root(Path.cwd())
        exercises = discover.of_sort(discover.select(root, targets), rungs, drills)
        folder = submission_tree(tree, root, exercises)
        chosen = discover.submissions(exercises, folder, track)
        options = (f" --from {tree}" if tree else "") + (f" --arch {arch}" if arch else "")
        chosen_backend = choose_backend(backend, arch)
        journal = Journal(root) if own_tree(root, folder) else None
        seed = secrets.randbits(32) if seed is None else seed
        code = _run(chosen, root, chosen_backend, seed, reports, verbose, options, journal)
    gc.freeze()  # all that torch has made need not be searched for garbage once more before the prompt is back
    raise typer.Exit(code)


def _guide(track: str | None, backend: str, arch: str | None) -> None:
    """The guided mode on a terminal; for a pipe, what it would begin with."""
    from grader import discover
    from grader.commands.guide import Guide, tell_piped

    root = discover.find_root(Path.cwd())
    if sys.stdin.isatty() and sys.stdout.isatty():
        Guide(root, choose_backend(backend, arch), track).run()
    else:
        tell_piped(track)


def _run(
    chosen: list[Submission],
    root: Path,
    backend: Backend,
    seed: int,
    reports: Reports,
    verbose: bool,
    options: str,
    journal: Journal | None,
) -> int:
    """Grade, report, and write down in `journal`, if there is one, what came of it; the exit code."""
    from grader.commands.learner import next_command, tell_notes
    from grader.progress import Recorder
    from grader.report import Screen, to_json
    from grader.sandbox import Zygote

    verdicts: list[Verdict] = []
    interrupted = False
    trouble: GraderError | ExerciseError | None = None
    with Zygote(backend.environment()) as zygote:
        with Screen(chosen, reports.take_stdout, verbose) as screen:
            device = backend.describe()  # imports torch, as the zygote does meanwhile
            from grader.runner import Runner

            screen.header(device, seed)
            recorder = Recorder(journal, chosen, device, seed) if journal else None
            try:
                for verdict in Runner(zygote, backend, root=root, seed=seed).run(chosen, screen.working):
                    verdicts.append(verdict)
                    screen.verdict(verdict)
                    if recorder:
                        recorder.record(verdict)
            except KeyboardInterrupt:
                interrupted = True
            except (GraderError, ExerciseError) as error:
                trouble = error
        if verdicts or not trouble:  # said at once: ending the zygote may take half a second
            screen.failures(verdicts, seed, options)
            screen.remarks(verdicts)
            screen.advice(verdicts)
            screen.totals(verdicts, len(chosen), next_command(verdicts) if journal else "")
    if journal:
        tell_notes(journal)
    if verdicts or not trouble:
        why = "interrupted by Ctrl-C" if interrupted else str(trouble or "")
        reports.finish(to_json(verdicts, chosen, device, seed, reports.started, why))
    if trouble:
        raise trouble
    if interrupted:
        return INTERRUPTED
    return 0 if all(verdict.passed for verdict in verdicts) else 1


def main() -> None:
    """Run the command; every foreseen error is one message and an exit code, never a traceback."""
    from grader.backends import ArchError
    from grader.discover import TargetError

    try:
        if completion.VARIABLE in os.environ and (asked := completion.asked_for()):
            asked(prog_name="grade")
        if sys.argv[1:2] and sys.argv[1] in commands.COMMANDS:
            commands.app(sys.argv[1])(sys.argv[2:], prog_name=f"grade {sys.argv[1]}")
        app(prog_name="grade")
    except (TargetError, ArchError, ExerciseError) as error:
        _complain(str(error), 2)
    except HandInError as error:
        _complain(str(error), 1)
    except GraderError as error:
        _complain(str(error), 3)
    except (KeyboardInterrupt, SystemExit) as end:  # typer turns the one into the other
        if isinstance(end, SystemExit) and end.code != INTERRUPTED:
            raise
        _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


def _complain(message: str, code: int) -> None:
    print(f"grade: {message}", file=sys.stderr)
    sys.exit(code)
