"""What the learner sees: the device, one line for each exercise and track, failures decoded, totals; and the JSON."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from grader.exercise import Submission
from grader.limits import costs
from grader.outcome import CHECKS, GRADES, Verdict
from grader.points import marks
from grader.reportfiles import SCHEMA

MAX_ADVICE, MAX_PRINTED = 3, 20
"""Pieces of advice, and lines of what one submission printed, that are shown unless all are asked for."""

NARROW = 110
"""Columns below which a sentence gets a line of its own."""

NEAR = 4
"""Verdicts up to which the line about a failure is still in sight where it is decoded."""

COLOURS = {
    "not started": "cyan",
    "failed": "bold red",
    "slow": "yellow",
    "inconclusive": "yellow",
}


class _Bar(Progress):
    """The progress, with something of the caller's under it."""

    below: RenderableType | None = None

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from super().get_renderables()
        if self.below is not None:
            yield self.below


class Screen(AbstractContextManager["Screen"]):
    """Prints verdicts as they come, with a progress bar under them on a terminal, and under that what `below` is."""

    def __init__(
        self, submissions: Sequence[Submission], to_stderr: bool, verbose: bool, below: RenderableType | None = None
    ) -> None:
        self.console = Console(stderr=to_stderr, highlight=False, soft_wrap=not _is_terminal(to_stderr))
        self._verbose = verbose
        self._widths = (
            max((len(one.exercise.id) for one in submissions), default=0),
            max((len(one.track) for one in submissions), default=0),
            max(map(len, GRADES)),
        )
        self._progress = _Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self.console,
            transient=True,
            disable=not self.console.is_terminal,
        )
        self._progress.below = below
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
        """One line; on a narrow terminal the reason stands below it."""
        colour = COLOURS.get(verdict.grade, "green")
        names = (verdict.exercise, verdict.track)
        if not self.console.is_terminal:
            cells = zip((*names, verdict.grade, verdict.reason), (*self._widths, 0), strict=True)
            self.console.print(escape("  ".join(cell.ljust(width) for cell, width in cells)))
        else:
            wide = self.console.width >= NARROW
            line = Table.grid(padding=(0, 2), expand=False)
            for width in self._widths:
                line.add_column(width=width, no_wrap=True)
            line.add_column(overflow="fold")
            line.add_row(*names, f"[{colour}]{verdict.grade}[/]", escape(verdict.reason) if wide else "")
            self.console.print(line)
            if not wide:
                self.console.print(Padding(escape(verdict.reason), (0, 0, 0, 4)))
        self._progress.advance(self._task)

    def failures(self, verdicts: Sequence[Verdict], seed: int, options: str) -> None:
        """The first failure decoded (all of them when verbose), each with the command that replays it."""
        failed = [verdict for verdict in verdicts if verdict.grade == "failed"]
        for verdict in failed if self._verbose else failed[:1]:
            kind = verdict.outcome.status.lower().replace("_", " ")
            decoded = _decoded(verdict, in_sight=len(verdicts) <= NEAR)
            self.console.print()
            if decoded or verdict.outcome.printed.strip():
                heading = f"{verdict.exercise}, {verdict.track}: {verdict.grade} ({kind})"
                self.console.print("\n".join([f"[bold]{escape(heading)}[/]", *map(escape, decoded)]))
            self._printed(verdict, "it printed:")
            if verdict.outcome.failed_check != CHECKS[0]:  # what does not compile has seen no inputs
                replay = f"grade {verdict.exercise} --track {verdict.track} --seed {seed}{options}"
                self.console.print(escape(f"replay: {replay}"))
        if len(failed) > 1 and not self._verbose:
            self.console.print(f"\n{len(failed) - 1} more failed; -v shows them all, or grade one by name")

    def _printed(self, verdict: Verdict, heading: str) -> None:
        lines = verdict.outcome.printed.strip().splitlines()
        if not lines:
            return
        shown = lines if self._verbose else lines[:MAX_PRINTED]
        self.console.print(escape("\n".join([heading, *(f"    {line}" for line in shown)])))
        if len(shown) < len(lines):
            self.console.print(f"    ... {len(lines) - len(shown)} more lines; -v shows them")

    def remarks(self, verdicts: Sequence[Verdict]) -> None:
        """What those that did not fail printed, and when verbose what each kernel costs."""
        for verdict in verdicts:
            if verdict.grade != "failed" and verdict.outcome.printed.strip():
                self.console.print()
                self._printed(verdict, f"{verdict.exercise}, {verdict.track} printed:")
        known = [(one, build) for one in verdicts for build in one.outcome.build if "registers" in build]
        if self._verbose and known:
            self.console.print()
            for verdict, build in known:
                text = f"{verdict.exercise}, {verdict.track}: {build.get('kernel')}: {costs(build)}"
                self.console.print(escape(text), style="dim")

    def advice(self, verdicts: Sequence[Verdict]) -> None:
        """What would make right kernels faster: a few lines of it, quietly, for no grade depends on them."""
        told = [
            (verdict, finding)
            for verdict in verdicts
            if verdict.passed
            for finding in verdict.outcome.findings
            if finding.get("severity") == "advice"
        ]
        shown = told if self._verbose else told[:MAX_ADVICE]
        for verdict, finding in shown:
            self.console.print()
            head = f"advice: {verdict.exercise}, {verdict.track}: {finding.get('kind')}: {finding.get('message')}"
            self.console.print(escape(head), style="dim")
            self.console.print(escape(f"  {finding.get('remedy')}"), style="dim")
        if told:
            verdict = told[0][0]
            left = f"{len(told) - len(shown)} more with -v; " if len(shown) < len(told) else ""
            command = f"{left}counts by line: grade profile {verdict.exercise} --track {verdict.track}"
            self.console.print(escape(f"  {command}"), style="dim")

    def totals(self, verdicts: Sequence[Verdict], asked: int, then: str = "") -> None:
        """The last line, with the command to go on with, if there is one."""
        counts = Counter(verdict.grade for verdict in verdicts)
        parts = [f"{counts[grade]} {grade}" for grade in reversed(GRADES) if counts[grade]]
        if len(verdicts) < asked:
            parts.append(f"{asked - len(verdicts)} not graded")
        seconds = time.monotonic() - self._started
        went = f"{', '.join(parts) or 'nothing graded'} in {seconds:.1f} s"
        self.console.print(escape(f"\n{went}{f'; next: {then}' if then else ''}"))

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, kind: object, value: object, trace: TracebackType | None) -> None:
        self._progress.stop()


def to_json(
    verdicts: Sequence[Verdict],
    submissions: Sequence[Submission],
    device: dict[str, Any],
    seed: int,
    started: datetime,
    trouble: str = "",
) -> dict[str, Any]:
    """The record of a run as CONTRIBUTING.md documents it ("The JSON report"): the verdicts on `submissions`, all of
    them unless `trouble` says why not.
    """
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
            "counts": dict(verdict.outcome.counts),
            "printed": verdict.outcome.printed,
            "seconds": round(verdict.outcome.seconds, 3),
        }
        for verdict in verdicts
    ]
    worth = marks([one.exercise for one in submissions], verdicts, device)
    parts = [part for mark in worth for part in (mark.correct, mark.fast)]
    summary = {
        "total": len(verdicts),
        "passed": sum(verdict.passed for verdict in verdicts),
        "grades": dict(Counter(verdict.grade for verdict in verdicts)),
        "complete": len(verdicts) == len(submissions),
        "score": sum(part.score for part in parts),
        "max_score": sum(part.max for part in parts),
    }
    return {
        "schema": SCHEMA,
        "started": started.isoformat(),
        "seconds": round((datetime.now(UTC) - started).total_seconds(), 3),
        "trouble": trouble,
        "refused": "",
        "device": device,
        "seed": seed,
        "results": results,
        "marks": [asdict(mark) for mark in worth],
        "summary": summary,
    }


def _is_terminal(to_stderr: bool) -> bool:
    return (sys.stderr if to_stderr else sys.stdout).isatty()


def _decoded(verdict: Verdict, in_sight: bool) -> list[str]:
    """The lines about a failure, less the first where that only repeats the verdict's own, which is `in_sight`."""
    outcome = verdict.outcome
    lines = (outcome.detail or outcome.reason).splitlines()
    return lines[in_sight and lines[:1] == [verdict.reason] :]
