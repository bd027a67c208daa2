"""`grade check`: whether exercises are all that they should be, one line for each check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from grader.commands.options import BackendOption, JsonOption, TargetsArgument

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

    from grader.audit import Finding
    from grader.backends import Backend

SCHEMA = 1

COLOURS = {"ok": "green", "failed": "bold red", "not run": "yellow", "left out": "dim"}

TREE = "the tree"
"""What the findings are about that belong to no exercise."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(epilog="Examples: grade check · grade check my_exercise · grade check level1 --json check.json")
def check(
    targets: TargetsArgument = None,
    backend: BackendOption = "auto",
    json_to: JsonOption = None,
) -> None:
    """Check exercises: manifest, reference, page, cases, goals, files and stubs can be read; every .cu compiles for
    sm_75 to sm_90; the stub fails, the solution passes, each mutant fails and is told why. One line each.

    Without WHAT, what exercises that are gone have left behind as well. Exit code 0: all ok, or left out because the
    course has no solutions/ or tests/; 1: something failed.
    """
    from rich.console import Console

    from grader import discover
    from grader.commands.options import choose_backend
    from grader.reportfiles import ReportFile

    root = discover.find_root(Path.cwd())
    ids = discover.matching(root, targets or ["all"])
    report = ReportFile("--json", json_to) if json_to is not None else None  # refused now, if it must be
    chosen = choose_backend(backend, None)
    console = Console(highlight=False, stderr=json_to == "-")
    findings: list[Finding] = []
    with console.status("starting") as status:
        for finding in _findings(root, ids, chosen, status):
            findings.append(finding)
            _show(console, finding, max(map(len, (*ids, TREE))))
        if not targets:
            findings.append(_tree(root, ids))
            _show(console, findings[-1], max(map(len, (*ids, TREE))))
    if report:
        report.write(_json(findings))
    _say(console, _total(findings, ids))
    raise typer.Exit(int(any(map(_is_bad, findings))))


def _findings(root: Path, ids: Sequence[str], backend: Backend, status: Status) -> Iterator[Finding]:
    """Everything about each exercise, in order."""
    from grader.sandbox import Zygote

    with Zygote(backend.environment()) as zygote:
        backend.describe()  # imports torch, as the zygote does meanwhile
        from grader.discover import read
        from grader.runner import Runner
        from grader.trials import SEED, Auditor

        auditor = Auditor(root, Runner(zygote, backend, root=root, seed=SEED), status.update)
        for exercise_id in ids:
            status.update(exercise_id)
            yield from auditor.check(exercise_id, partial(read, root, exercise_id))


def _tree(root: Path, ids: Sequence[str]) -> Finding:
    from grader.audit import Finding, leftovers

    faults = leftovers(root, ids)
    return Finding(TREE, "files", "failed" if faults else "ok", "; ".join(faults) or "nothing is left over")


def _show(console: Console, finding: Finding, width: int) -> None:
    from rich.markup import escape

    from grader.audit import CHECKS

    state = f"[{COLOURS[finding.state]}]{finding.state.ljust(max(map(len, COLOURS)))}[/]"
    check = finding.check.ljust(max(map(len, CHECKS)))
    lines = " ".join(finding.text.split("\n"))
    console.print(f"{state}  {escape(finding.exercise.ljust(width))}  {check}  {escape(lines)}", soft_wrap=True)


def _total(findings: Sequence[Finding], ids: Sequence[str]) -> str:
    """The last line, with the command to go on with."""
    from grader.discover import slug_of

    counts = Counter(finding.state for finding in findings)
    went = ", ".join(f"{counts[state]} {state}" for state in COLOURS if counts[state])
    bad = [finding.exercise for finding in findings if _is_bad(finding)]
    if bad:
        return f"{went}; mend it, then: grade check{'' if bad[0] == TREE else ' ' + slug_of(bad[0])}"
    if absent := sorted({finding.text for finding in findings if finding.state == "left out"}):
        return f"{went}: {'; '.join(absent)}"
    then = "grade check" if len(ids) == 1 else "scripts/check"
    return f"{went}; next: {then}"


def _is_bad(finding: Finding) -> bool:
    return finding.state not in ("ok", "left out")


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False, soft_wrap=True)


def _json(findings: Sequence[Finding]) -> str:
    import json

    summary = Counter(finding.state for finding in findings)
    report: dict[str, Any] = {
        "schema": SCHEMA,
        "results": [asdict(finding) for finding in findings],
        "summary": {state.replace(" ", "_"): summary[state] for state in COLOURS},
    }
    return json.dumps(report, indent=2) + "\n"
