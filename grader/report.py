"""What the learner sees: the device, one line for each exercise and track, failures decoded, totals; and the JSON."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from grader.exercise import Submission
from grader.outcome import GRADES, GraderError, Verdict

SCHEMA = 1

MAX_ADVICE = 3
"""Pieces of advice that are shown; the JSON has all."""

COLOURS = {
    "not started": "cyan",
    "failed": "bold red",
    "slow": "yellow",
    "inconclusive": "yellow",
}


class Screen(AbstractContextManager["Screen"]):
    """Prints verdicts as they come, with a progress bar below them on a terminal."""

    def __init__(self, submissions: Sequence[Submission], to_stderr: bool, verbose: bool) -> None:
        self.console = Console(stderr=to_stderr, highlight=False, soft_wrap=not _is_terminal(to_stderr))
        self._verbose = verbose
        self._widths = (
            max((len(one.exercise.id) for one in submissions), default=0),
            max((len(one.track) for one in submissions), default=0),
            max(map(len, GRADES)),
        )
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self.console,
            transient=True,
            disable=not self.console.is_terminal,
        )
        self._task = self._progress.add_task("starting", total=len(submissions))
        self._started = time.monotonic()

    def header(self, device: dict[str, Any], seed: int) -> None:
        """Which device and backend were used, first of all."""
        versions = ", ".join(
            f"{name} {device[name]}" for name in ("torch", "triton", "cupy", "nvrtc") if name in device
        )
        capability = f", sm_{device['capability'].replace('.', '')}" if "capability" in device else ""
        self.console.print(
            escape(f"{device['name']}{capability}, backend {device['backend']}; {versions}; seed {seed}")
        )

    def working(self, submission: Submission, text: str) -> None:
        """Show what is being done; called from the threads that do it."""
        self._progress.update(
            self._task, description=escape(f"{submission.exercise.slug} {submission.track}: {text}")
        )

    def verdict(self, verdict: Verdict) -> None:
        """One line."""
        line = Table.grid(padding=(0, 2), expand=False)
        for width in self._widths:
            line.add_column(width=width, no_wrap=True)
        line.add_column(overflow="fold")
        colour = COLOURS.get(verdict.grade, "green")
        line.add_row(verdict.exercise, verdict.track, f"[{colour}]{verdict.grade}[/]", escape(verdict.reason))
        if self.console.is_terminal:
            self.console.print(line)
        else:
            cells = (verdict.exercise, verdict.track, verdict.grade)
            padded = "  ".join(cell.ljust(width) for cell, width in zip(cells, self._widths, strict=True))
            self.console.print(escape(f"{padded}  {verdict.reason}"))
        self._progress.advance(self._task)

    def failures(self, verdicts: Sequence[Verdict], seed: int, options: str) -> None:
        """The first failure decoded (all of them when verbose), each with the command that replays it."""
        failed = [verdict for verdict in verdicts if verdict.grade == "failed"]
        for verdict in failed if self._verbose else failed[:1]:
            outcome = verdict.outcome
            self.console.print()
            self.console.print(f"[bold]{escape(verdict.exercise)}, {verdict.track}: {outcome.status}[/]")
            self.console.print(escape(outcome.detail or outcome.reason))
            if outcome.printed.strip():
                self.console.print(escape("it printed:\n" + _indent(outcome.printed.strip())))
            replay = f"grade {verdict.exercise} --track {verdict.track} --seed {seed}{options}"
            self.console.print(escape(f"replay: {replay}"))
        if len(failed) > 1 and not self._verbose:
            self.console.print(f"\n{len(failed) - 1} more failed; -v shows them all, or grade one by name")

    def advice(self, verdicts: Sequence[Verdict]) -> None:
        """What would make right kernels faster: a few lines of it, quietly, for no grade depends on them."""
        told = [
            (verdict, finding)
            for verdict in verdicts
            if verdict.passed
            for finding in verdict.outcome.findings
            if finding.get("severity") == "advice"
        ]
        for verdict, finding in told[:MAX_ADVICE]:
            self.console.print()
            head = f"advice: {verdict.exercise}, {verdict.track}: {finding.get('kind')}: {finding.get('message')}"
            self.console.print(escape(head), style="dim")
            self.console.print(escape(f"  {finding.get('remedy')}"), style="dim")
        if told:
            verdict = told[0][0]
            left = f"{len(told) - MAX_ADVICE} more; " if len(told) > MAX_ADVICE else ""
            command = f"{left}counts by line: grade profile {verdict.exercise} --track {verdict.track}"
            self.console.print(escape(f"  {command}"), style="dim")

    def totals(self, verdicts: Sequence[Verdict], asked: int) -> None:
        """The last line."""
        counts = Counter(verdict.grade for verdict in verdicts)
        parts = [f"{counts[grade]} {grade}" for grade in reversed(GRADES) if counts[grade]]
        if len(verdicts) < asked:
            parts.append(f"{asked - len(verdicts)} not graded")
        seconds = time.monotonic() - self._started
        self.console.print(f"\n{', '.join(parts) or 'nothing graded'} in {seconds:.1f} s")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, kind: object, value: object, trace: TracebackType | None) -> None:
        self._progress.stop()


def to_json(verdicts: Sequence[Verdict], device: dict[str, Any], seed: int, asked: int) -> dict[str, Any]:
    """The whole result as CONTRIBUTING.md documents it ("The JSON report"); `asked` is how many were to be graded."""
    results = [
        {
            "exercise": verdict.exercise,
            "track": verdict.track,
            "status": str(verdict.outcome.status),
            "grade": verdict.grade,
            "reason": verdict.reason,
            "detail": verdict.outcome.detail,
            "checks": verdict.outcome.checks(),
            "cases": [asdict(case) for case in verdict.outcome.cases],
            "build": list(verdict.outcome.build),
            "findings": list(verdict.outcome.findings),
            "timing": asdict(verdict.outcome.timing) if verdict.outcome.timing else None,
            "printed": verdict.outcome.printed,
            "seconds": round(verdict.outcome.seconds, 3),
        }
        for verdict in verdicts
    ]
    summary = {
        "total": len(verdicts),
        "passed": sum(verdict.passed for verdict in verdicts),
        "grades": dict(Counter(verdict.grade for verdict in verdicts)),
        "complete": len(verdicts) == asked,
    }
    return {"schema": SCHEMA, "device": device, "seed": seed, "results": results, "summary": summary}


def write_json(report: dict[str, Any], target: str) -> None:
    """Write the report to a file, or to standard output for "-". Raises GraderError if it cannot be written."""
    text = json.dumps(report, indent=2) + "\n"
    try:
        if target == "-":
            sys.stdout.write(text)
            sys.stdout.flush()
        else:
            Path(target).write_text(text, encoding="utf-8")
    except OSError as error:
        raise GraderError(f"cannot write {target}: {error.strerror}") from None


def _is_terminal(to_stderr: bool) -> bool:
    return (sys.stderr if to_stderr else sys.stdout).isatty()


def _indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines()[:20])
