"""The report's roofline: where each solved kernel stands, and where that is drawn.

A kernel that was timed is a point: the flops per byte that its task needs at least, and the flop/s that it reached.
One that was only counted, on the virtual GPU, claims no speed: it stands in a strip below, at the flops per byte that
its own instructions came to, and a thin line leads up to the roof, which is what it could reach there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product

from grader.commands.report_kernel import Kernel, unit
from grader.diagnosis import H200

WIDTH = 720.0
LEFT, RIGHT, TOP = 72.0, 690.0, 32.0
TALL, FLAT = 300.0, 170.0
"""Heights of the plot: with points in it, and with nothing but a roof."""

STEP = 15.0
"""From one kernel of the strip to the next, sideways and up."""

CHARACTER, LINE = 6.6, 14.0
"""About the size of a label's characters."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Mark:
    """A kernel in the picture; `label` stands at (`label_x`, `label_y`) if there was room for it."""

    kernel: Kernel
    x: float
    y: float
    label: str = ""
    label_x: float = 0.0
    label_y: float = 0.0


@dataclass(frozen=True)
class Text:
    """Words in the picture, turned by `angle` degrees."""

    x: float
    y: float
    text: str
    angle: float = 0.0


@dataclass(frozen=True)
class Roofline:
    """One card's roof with the kernels under it, in the units of the picture."""

    device: str
    known: str
    width: float
    height: float
    top: float
    bottom: float
    left: float
    right: float
    roofs: Sequence[str]
    roof_texts: Sequence[Text]
    x_ticks: Sequence[Text]
    y_ticks: Sequence[Text]
    points: Sequence[Mark]
    strip: Sequence[Mark]
    stems: Sequence[tuple[float, float, float]]


@dataclass(frozen=True)
class Roof:
    """A card's ceilings: bytes/s, and flop/s by type."""

    device: str
    bandwidth: float
    peaks: dict[str, float] = field(default_factory=dict)


def rooflines(kernels: Iterable[Kernel]) -> list[Roofline]:
    """A picture for each card that something was measured on, the latest first; what was only counted joins it."""
    placed = [one for one in kernels if one.intensity]
    timed = sorted((one for one in placed if one.measured), key=lambda one: one.attempt.when, reverse=True)
    counted = [one for one in placed if not one.measured]
    devices = list(dict.fromkeys(one.attempt.device for one in timed))
    if not devices:
        return [_draw(_example(counted), "an example: nothing was measured here yet", [], counted)]
    drawn: list[Roofline] = []
    for device in devices:
        mine = [one for one in timed if one.attempt.device == device]
        drawn.append(_draw(_roof(device, mine), "as measured on this card", mine, [] if drawn else counted))
    return drawn


def _example(counted: Sequence[Kernel]) -> Roof:
    types = {one.attempt.dtype for one in counted} & H200.matmul.keys() or {"float32"}
    return Roof("NVIDIA H200", H200.copy, {name: H200.matmul[name] for name in sorted(types)})


def _roof(device: str, kernels: Sequence[Kernel]) -> Roof:
    """The best ceilings that were in force: they are measured anew now and then."""
    peaks: dict[str, float] = {}
    for one in kernels:
        if one.attempt.peak:
            peaks[one.attempt.dtype] = max(one.attempt.peak, peaks.get(one.attempt.dtype, 0.0))
    return Roof(device, max(one.attempt.bandwidth or 0.0 for one in kernels), peaks)


class _Scale:
    """Whole decades from `low` to `high` along the picture from `start` to `end`."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.first, self.last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        self.start, self.decade = start, (end - start) / max(1, self.last - self.first)

    def __call__(self, value: float) -> float:
        return self.start + (math.log10(value) - self.first) * self.decade

    @property
    def decades(self) -> range:
        return range(self.first, self.last + 1)


def _draw(roof: Roof, known: str, timed: Sequence[Kernel], counted: Sequence[Kernel]) -> Roofline:
    intensities = [one.intensity or 1.0 for one in (*timed, *counted)]
    ridges = [peak / roof.bandwidth for peak in roof.peaks.values()]
    across = _Scale(min([0.05, *intensities]), max([50.0, *intensities, *(2 * one for one in ridges)]), LEFT, RIGHT)
    bottom = TOP + (TALL if timed else FLAT)
    rates = [_rate(one) for one in timed]
    low = min([10**across.first * roof.bandwidth, *rates])
    high = max([*roof.peaks.values(), *rates, *([] if roof.peaks else [10**across.last * roof.bandwidth])])
    up = _Scale(low, high, bottom, TOP)
    swarm, rows = _swarm(counted, across)
    ground = bottom + 26 + rows * STEP if counted else bottom
    strip = [Mark(one, x, ground - 10 - row * STEP) for one, x, row in swarm]
    best = {name: (peak, up(peak)) for name, peak in roof.peaks.items()}
    roofs = [_path(roof.bandwidth, peak, across, up) for peak in roof.peaks.values() or [math.inf]]
    names = [*_names(best), _slope(roof.bandwidth, across, up)]
    stems = []
    for mark in strip:
        attainable = min((mark.kernel.intensity or 1.0) * roof.bandwidth, _peak(roof, mark.kernel))
        stems.append((mark.x, mark.y, up(attainable)))
    return Roofline(
        roof.device,
        known,
        WIDTH,
        ground + 46,
        TOP,
        ground,
        LEFT,
        RIGHT,
        [" ".join(f"{x:.1f},{y:.1f}" for x, y in path) for path in roofs],
        names,
        [Text(across(10.0**n), ground + 18, f"{10.0**n:g}") for n in across.decades],
        [Text(LEFT - 8, up(10.0**n) + 4, unit(10.0**n, "")) for n in up.decades],
        _labelled([Mark(one, across(one.intensity or 1.0), up(_rate(one))) for one in timed], roofs, names),
        strip,
        stems,
    )


def _rate(kernel: Kernel) -> float:
    return (kernel.attempt.flops or 1.0) / (kernel.attempt.seconds or 1.0)


def _peak(roof: Roof, kernel: Kernel) -> float:
    return roof.peaks.get(kernel.attempt.dtype, max(roof.peaks.values(), default=math.inf))


def _path(bandwidth: float, peak: float, across: _Scale, up: _Scale) -> list[Point]:
    """The roof of one type: up with the bandwidth, from its ridge on level."""
    left, right = 10.0**across.first, 10.0**across.last
    ridge = min(peak / bandwidth, right)
    corners = [(left, left * bandwidth), (ridge, ridge * bandwidth), (right, min(peak, right * bandwidth))]
    return [(across(x), up(y)) for x, y in corners]


def _names(best: dict[str, tuple[float, float]]) -> list[Text]:
    """Each level roof's name, above it; where two are too close, the lower one's stands below."""
    texts: list[Text] = []
    above = -math.inf
    for name, (peak, y) in sorted(best.items(), key=lambda item: item[1][1]):
        place = y - 6 if y - above > 2 * LINE else y + LINE
        texts.append(Text(RIGHT, place, f"{name}: {unit(peak, 'FLOP/s')}"))
        above = y
    return texts


def _slope(bandwidth: float, across: _Scale, up: _Scale) -> Text:
    at = 10.0 ** (across.first + 0.1)
    angle = math.degrees(math.atan2(up.decade, across.decade))
    return Text(across(at) - 4, up(at * bandwidth) - 8, unit(bandwidth, "B/s"), angle)


def _swarm(kernels: Sequence[Kernel], across: _Scale) -> tuple[list[tuple[Kernel, float, int]], int]:
    """Each kernel's place in the strip: its x, and a row in which it hides no other; and how many rows that takes."""
    ends: list[float] = []
    placed = []
    for one in sorted(kernels, key=lambda one: one.intensity or 0.0):
        x = across(one.intensity or 1.0)
        row = next((n for n, end in enumerate(ends) if x - end >= STEP), len(ends))
        ends[row : row + 1] = [x]
        placed.append((one, x, row))
    return placed, len(ends)


def _labelled(marks: Sequence[Mark], roofs: Sequence[Sequence[Point]], names: Sequence[Text]) -> list[Mark]:
    """The marks with their names beside them, each where it covers nothing else, or nowhere."""
    taken = [(mark.x - 6, mark.y - 6, mark.x + 6, mark.y + 6) for mark in marks]
    taken += [(x - 2, y - 2, x + 2, y + 2) for roof in roofs for x, y in _along(roof)]
    taken += [(one.x - CHARACTER * len(one.text), one.y - LINE, one.x, one.y) for one in names if not one.angle]
    named = []
    for mark in marks:
        text = mark.kernel.exercise.slug
        size = len(text) * CHARACTER
        sides = product((9.0, -9.0 - size), (4.0, -9.0, 18.0))
        for x, y in ((mark.x + dx, mark.y + dy) for dx, dy in sides):
            box = (x, y - LINE + 3, x + size, y + 3)
            if x > LEFT and x + size < RIGHT and y > TOP + LINE and not any(_meet(box, other) for other in taken):
                taken.append(box)
                named.append(Mark(mark.kernel, mark.x, mark.y, text, x, y))
                break
        else:
            named.append(mark)
    return named


def _along(line: Sequence[Point]) -> Iterator[Point]:
    """Points of a line, a few units apart."""
    for (x, y), (to_x, to_y) in pairwise(line):
        steps = max(1, round((to_x - x) / 4))
        yield from ((x + (to_x - x) * n / steps, y + (to_y - y) * n / steps) for n in range(steps + 1))


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
