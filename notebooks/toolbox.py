"""What the notebooks share: kernels counted on the virtual GPU, plots in one style, exercises graded in a cell."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from grader.contract import load_contract
from grader.discover import select
from grader.exercise import ExerciseError, Submission
from grader.pristine import pristine
from grader.vgpu import Kernel, Module, Report, nvrtc
from grader.vgpu.transactions import SECTOR

ROOT = Path(__file__).resolve().parent.parent

INK, GREY, BLUE, ORANGE, GREEN, RED = "#22252b", "#b9bec8", "#1f6fb4", "#d9730d", "#2a8c5f", "#c23b3b"

H200_BANDWIDTH, H200_FLOAT32 = 4.26e12, 51e12
"""Bytes/s copied and flop/s of float32 matrix products, as `grade calibrate` measured them on an H200."""


def use_style() -> None:
    """Plots on a light card of their own, so that they read the same in a light and in a dark notebook."""
    plt.rcParams.update(
        {
            "figure.figsize": (8.5, 3.6),
            "figure.dpi": 110,
            "figure.constrained_layout.use": True,
            "figure.facecolor": "#fbfbf9",
            "axes.facecolor": "#fbfbf9",
            "savefig.facecolor": "#fbfbf9",
            "text.color": INK,
            "axes.labelcolor": INK,
            "axes.edgecolor": GREY,
            "axes.titlelocation": "left",
            "axes.titleweight": "bold",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "xtick.color": INK,
            "ytick.color": INK,
            "font.size": 10.5,
            "lines.linewidth": 2.2,
        }
    )


class Counts:
    """What one launch came to, added up over all its lines. No times: the virtual GPU counts, it has no clock."""

    def __init__(self, report: Report) -> None:
        assert report.profile is not None
        self.findings, self.profile = report.findings, report.profile

    def __getattr__(self, name: str) -> int:
        """The sum over all lines of a count of grader.vgpu.profile.LineProfile, such as `global_sectors`."""
        if name not in self.profile.lines[0].__dataclass_fields__:
            raise AttributeError(name)
        return sum(getattr(line, name) for line in self.profile.lines)

    def __repr__(self) -> str:
        grid, block = self.profile.grid, self.profile.block
        wrong = sum(finding.severity == "error" for finding in self.findings)
        return f"<{grid} blocks of {block} threads; {self.instructions} instructions of warps; {wrong} errors>"

    @property
    def bytes(self) -> int:
        """Bytes that cross global memory, in whole sectors and without caches."""
        return SECTOR * self.global_sectors

    def line(self, text: str, source: str) -> Any:
        """The counts of the first line of `source` that contains `text`."""
        number = next(i for i, line in enumerate(source.splitlines(), 1) if text in line)
        return next(line for line in self.profile.lines if line.line == number)


@cache
def _compiled(source: str, kernel: str, arch: str = "compute_80") -> Kernel:
    built = nvrtc.compile(source, name="cell.cu", arch=arch, expressions=[kernel])
    return Module(built.image.decode()).kernel(built.lowered[kernel])


def launch(source: str, kernel: str, grid: Any, block: Any, *args: Any, smem: int = 0) -> Counts:
    """Compile CUDA C++ with NVIDIA's own compiler, run it on the virtual GPU, and return its counts.

    Arrays are changed in place; `smem` is dynamic shared memory in bytes. What the virtual GPU finds wrong (races,
    accesses out of bounds) is printed.
    """
    report = _compiled(source, kernel).launch(grid, block, args, smem=smem, profile=True)
    for finding in report.errors:
        print(f"{finding.kind}: {finding.message}\n  {finding.remedy}")
    return Counts(report)


def bars(names: Sequence[str], values: Sequence[float], title: str, unit: str, best: int | None = None) -> None:
    """Horizontal bars, each with its number; the one at `best` stands out."""
    colours = [GREEN if i == best else BLUE for i in range(len(names))]
    _, axes = plt.subplots(figsize=(8.5, 0.9 + 0.52 * len(names)))
    drawn = axes.barh(names, values, color=colours, height=0.62)
    axes.bar_label(drawn, [f"{value:,.4g}" if value < 1e4 else f"{value:,.0f}" for value in values], padding=4)
    axes.set(title=title, xlabel=unit, xlim=(0, max(values) * 1.16))
    axes.invert_yaxis()
    plt.show()


def cells(axes: Any, values: Any, texts: Any = None, cmap: str = "Blues", **options: Any) -> None:
    """A grid of coloured cells, with a text in each."""
    values = np.asarray(values, dtype=float)
    image = axes.imshow(values, cmap=cmap, aspect=options.pop("aspect", "equal"), **options)
    axes.set(xticks=[], yticks=[])
    if texts is not None:
        for (row, column), value in np.ndenumerate(values):
            light = np.dot(image.cmap(image.norm(value))[:3], (0.3, 0.59, 0.11)) > 0.5
            text = str(texts[row][column])
            axes.text(column, row, text, ha="center", va="center", color=INK if light else "white", fontsize=9)
    axes.set_xticks(np.arange(-0.5, values.shape[1]), minor=True)
    axes.set_yticks(np.arange(-0.5, values.shape[0]), minor=True)
    axes.grid(which="minor", color="#fbfbf9", linewidth=1.5)
    axes.tick_params(which="minor", length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def roofline(points: Sequence[tuple[str, float]], title: str) -> None:
    """Where work of so many flops for each byte stands under the roof of an H200 in float32."""
    x = np.logspace(-2.3, 4, 200)
    _, axes = plt.subplots(figsize=(8.5, 4.4))
    roof = np.minimum(x * H200_BANDWIDTH, H200_FLOAT32)
    axes.loglog(x, roof, color=INK)
    axes.fill_between(x, roof, 1e9, color=BLUE, alpha=0.07)
    ridge = H200_FLOAT32 / H200_BANDWIDTH
    axes.axvline(ridge, color=GREY, linestyle=":", linewidth=1.5)
    axes.text(ridge * 1.1, 1.6e9, f"ridge: {ridge:.0f} flops for each byte", color=INK, fontsize=9)
    for number, (name, intensity) in enumerate(sorted(points, key=lambda point: point[1])):
        colour = (ORANGE, GREEN, RED, BLUE)[number % 4]
        height = min(intensity * H200_BANDWIDTH, H200_FLOAT32)
        axes.plot(
            intensity,
            height,
            "o",
            color=colour,
            markersize=9,
            label=f"{name}: {intensity:,.3g}" if intensity < 100 else f"{name}: {intensity:,.0f}",
        )
    axes.legend(title="flops for each byte", loc="lower right", bbox_to_anchor=(1, 0.12), fontsize=9, framealpha=1)
    axes.set(title=title, xlabel="flops for each byte", ylabel="flop/s at best", xlim=(x[0], x[-1]), ylim=(1e9, 2e14))
    plt.show()


def grade(name: str, untouched: bool = False) -> None:
    """Grade an exercise as `grade NAME` does, each track that you have begun; with `untouched` stubs as well."""
    (exercise,) = select(ROOT, [name])
    tracks = [Submission(exercise, track, exercise.folder) for track in exercise.tracks]
    begun = [one for one in tracks if untouched or _changed(one)]
    if not begun:
        files = ", ".join(one.shown(path) for one in tracks for path in one.files)
        print(f"{name}: not started. Fill in the TODOs of one track, save, and run this cell again.\nfiles: {files}")
        return
    chosen = ["--track", begun[0].track] if len(begun) == 1 and len(tracks) > 1 else []
    command = [sys.executable, "-m", "grader", exercise.id, *chosen]
    # Jupyter asks every program for colours, and so for moving progress bars; a cell shows each of their frames.
    plain = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "CLICOLOR_FORCE")}
    done = subprocess.run(command, cwd=ROOT, env=plain, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(f"$ grade {exercise.id} {' '.join(chosen)}\n{done.stdout}")


def intensity(name: str) -> float:
    """Flops for each byte that must move, of an exercise at the size that it is timed at. Nothing is run."""
    (exercise,) = select(ROOT, [name])
    contract = load_contract(exercise)
    dtype = next(iter(exercise.dtypes.values()))[0]
    inputs = contract.shapes(exercise.bench, dtype)
    tensors = [*inputs.values(), *contract.evaluate(inputs, exercise.bench).values()]
    return contract.operations(exercise.bench) / sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def _changed(submission: Submission) -> bool:
    """Whether a file of it is no longer the stub; yes where nobody knows the stub any more."""
    try:
        return any(
            path.is_file() and path.read_text("utf-8") != pristine(ROOT, submission.exercise, path.name).text
            for path in submission.files
        )
    except (ExerciseError, OSError, UnicodeDecodeError):
        return True
