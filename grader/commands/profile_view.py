"""How a profile is shown: each kernel's totals, its lines beside their counts, and the lines worth changing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from grader.diagnosis import Counts
from grader.exercise import Case, Submission
from grader.kernelprofile import KernelProfile
from grader.limits import costs
from grader.plan import describe_case
from grader.profiling import Profiled
from grader.vgpu.profile import LineProfile

WORTH = 3
"""Lines worth changing that are named."""

OPCODES = 6
"""Opcodes of the instruction mix that are named."""

HEADINGS = ("line", "executed", "lanes", "sectors/req", "efficiency", "wavefronts/req", "bytes", "flops")


class ProfileView:
    """Prints profiles with at most `top` lines of each kernel."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._console = Console(highlight=False)

    def stopped(self, submission: Submission, reason: str, detail: str) -> None:
        """It could not be profiled."""
        self._say(f"[bold]{escape(submission.name)}, {submission.track}[/]: {escape(reason)}")
        if detail:
            self._say(escape(detail))

    def profiled(self, submission: Submission, case: Case, dtype: str, profiled: Profiled) -> None:
        """Everything that is known of one call."""
        self._say(
            f"[bold]{escape(submission.name)}, {submission.track}[/]: one call with "
            f"{escape(describe_case(case))}, {dtype}; counted, not timed"
        )
        for finding in profiled.errors:
            self._say(f"[red]{escape(_sentence(finding))}[/]")
        if not profiled.kernels:
            self._say("solve() launched no kernel")
        elif "answer" in submission.exercise.tracks:
            self._say(f"in all: {escape(str(Counts.of(profiled.kernels, profiled.waits)))}")
        marked = {str(finding.get("message")) for finding in profiled.advice}
        for kernel in profiled.kernels:
            self._kernel(kernel, profiled.build, submission.folder, marked)
        self._worth_changing(profiled.advice)

    def then(self, slug: str) -> None:
        """What to do with it."""
        self._say(f"change a line, then: grade {escape(slug)}; counted anew: grade profile {escape(slug)}")

    def _kernel(
        self, kernel: KernelProfile, builds: Iterable[Mapping[str, Any]], folder: Path, marked: set[str]
    ) -> None:
        times = f"{kernel.launches} launches, the largest of" if kernel.launches > 1 else "one launch of"
        blocks = kernel.grid[0] * kernel.grid[1] * kernel.grid[2]
        threads = kernel.block[0] * kernel.block[1] * kernel.block[2]
        self._say(
            f"\n[bold]{escape(kernel.kernel)}[/]: {times} {blocks} block{'s' * (blocks != 1)} of {threads} threads"
        )
        for build in builds:
            if build.get("kernel") == kernel.kernel and "registers" in build:
                self._say(f"  {escape(costs(build))}")
        for text in _totals(kernel):
            self._say(f"  {escape(text)}")
        self._lines(kernel.shortened(self._top), folder, marked)

    def _lines(self, kernel: KernelProfile, folder: Path, marked: set[str]) -> None:
        if not kernel.lines:
            self._say(f"[dim]  {kernel.rest} line{'s' * (kernel.rest != 1)}, not shown: --top {kernel.rest}[/]")
            return
        table = [HEADINGS, *map(_row, kernel.lines)]
        columns = [column for column in zip(*table, strict=True) if any(column[1:])]
        widths = [max(map(len, column)) for column in columns]
        heading, *rows = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
            for row in zip(*columns, strict=True)
        ]
        self._say(f"[dim]  {heading}  source[/]")
        for row, line in zip(rows, kernel.lines, strict=True):
            sign = ">" if any(f"{Path(line.file).name}:{line.line}:" in text for text in marked) else " "
            self._say(f"{sign} {row}  {escape(_text(folder, line))}")
        if kernel.rest:
            self._say(f"[dim]  {kernel.rest} more lines with fewer instructions: --top {len(rows) + kernel.rest}[/]")

    def _worth_changing(self, advice: Sequence[Mapping[str, Any]]) -> None:
        if not advice:
            self._say("\nno line stands out by what it wastes\n")
            return
        self._say("\nworth changing:")
        for finding in advice[:WORTH]:
            self._say(f"> {escape(_sentence(finding))}")
        self._say("")

    def _say(self, text: str) -> None:
        self._console.print(text, soft_wrap=True)


def _sentence(finding: Mapping[str, Any]) -> str:
    return f"{finding.get('kind')}: {finding.get('message')}\n    {finding.get('remedy')}"


def _totals(kernel: KernelProfile) -> list[str]:
    issued = sum(kernel.mix.values())
    work = f", {kernel.flops:,} flops" if kernel.flops else ""
    if kernel.flops and kernel.traffic:
        work += f", {kernel.flops / kernel.traffic:.2f} flops per byte"
    mix = [f"{name} {count / issued:.0%}" for name, count in list(kernel.mix.items())[:OPCODES]]
    return [
        f"{kernel.traffic:,} bytes moved for {kernel.asked:,} asked for{work}",
        f"{issued:,} PTX instructions by {kernel.active_lanes:.1f} of 32 lanes: {', '.join(mix)}",
    ]


def _row(line: LineProfile) -> tuple[str, ...]:
    """One line's counts under HEADINGS; what does not apply is left empty."""
    memory, shared = line.global_requests > 0, line.shared_requests > 0
    return (
        str(line.line),
        str(line.instructions),
        f"{line.active_lanes:.1f}",
        f"{line.sectors_per_request:.1f}" if memory else "",
        f"{line.global_efficiency:.0%}" if memory else "",
        f"{line.wavefronts_per_request:.1f}" if shared else "",
        str(line.global_bytes) if memory else "",
        str(line.flops) if line.flops else "",
    )


def _text(folder: Path, line: LineProfile) -> str:
    """A line of a submitted file; of a library's header, only its name."""
    path = folder / Path(line.file).name
    lines = _lines_of(path) if path.is_file() else ()
    return lines[line.line - 1].expandtabs(4) if 0 < line.line <= len(lines) else f"({path.name})"


@cache
def _lines_of(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8", errors="replace").splitlines())
