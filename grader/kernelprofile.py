"""What the kernels of one call did, line by line, as it travels from the worker to whoever asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from grader.vgpu.profile import LaunchProfile, LineProfile
from grader.vgpu.transactions import SECTOR

MAX_LINES = 300
"""Lines of all kernels together that travel: a reply must fit sandbox.MAX_REPLY."""

_FIGURES = tuple(field.name for field in fields(LineProfile) if field.name not in ("file", "line", "opcodes"))


@dataclass(frozen=True)
class KernelProfile:
    """All launches of one kernel added up; `grid`, `block` and `shared` (bytes) are those of the largest. `chain`
    counts atomic operations that happen one after the other, on the address of each launch that has the most.

    `mix` counts instructions by opcode, as warps issue them. `lines` are those with the most instructions, in the
    order of the source, without their own mix; `rest` says how many more there were.
    """

    kernel: str
    launches: int
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    mix: Mapping[str, int]
    lines: tuple[LineProfile, ...]
    rest: int = 0
    chain: int = 0

    @classmethod
    def of(cls, kernel: str, launches: Iterable[LaunchProfile]) -> Self:
        """Add up at least one launch of `kernel`."""
        every = list(launches)
        largest = max(every, key=lambda one: one.warps)
        mix: Counter[str] = Counter()
        lines: dict[tuple[str, int], LineProfile] = {}
        for line in (line for one in every for line in one.lines):
            mix.update(dict(line.opcodes))
            before = lines.get((line.file, line.line))
            lines[line.file, line.line] = _add(before, line) if before else replace(line, opcodes=())
        ordered = tuple(lines[key] for key in sorted(lines))
        shape = largest.grid, largest.block, largest.shared
        chain = sum(one.chain for one in every)
        return cls(kernel, len(every), *shape, dict(mix.most_common()), ordered, chain=chain)

    @property
    def flops(self) -> int:
        return sum(line.flops for line in self.lines)

    @property
    def traffic(self) -> int:
        """Bytes that move to and from global memory, in whole sectors; caches are not modelled."""
        return SECTOR * sum(line.global_sectors for line in self.lines)

    @property
    def asked(self) -> int:
        """Bytes of global memory that the lanes asked for."""
        return sum(line.global_bytes for line in self.lines)

    @property
    def active_lanes(self) -> float:
        """The mean number of active lanes of a warp, at most 32."""
        issued = sum(line.instructions for line in self.lines)
        return sum(line.lanes for line in self.lines) / issued if issued else 0.0

    def shortened(self, most: int) -> KernelProfile:
        """With the `most` lines that issue the most instructions."""
        kept = sorted(self.lines, key=lambda line: -line.instructions)[:most]
        lines = tuple(line for line in self.lines if line in kept)
        return replace(self, lines=lines, rest=self.rest + len(self.lines) - len(lines))

    def to_json(self) -> dict[str, Any]:
        lines = [[line.file, line.line, *(getattr(line, name) for name in _FIGURES)] for line in self.lines]
        return {**{field.name: getattr(self, field.name) for field in fields(self)}, "lines": lines}

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Raises ValueError, TypeError or KeyError for anything that to_json() did not make."""
        lines = []
        for file, line, *figures in row["lines"]:
            named = dict(zip(_FIGURES, map(int, figures), strict=True))
            lines.append(LineProfile(file=str(file), line=int(line), opcodes=(), **named))
        mix = {str(name): int(count) for name, count in row["mix"].items()}
        grid, block = ((int(x), int(y), int(z)) for x, y, z in (row["grid"], row["block"]))
        counts = int(row["launches"]), grid, block, int(row["shared"]), mix, tuple(lines), int(row["rest"])
        return cls(str(row["kernel"]), *counts, chain=int(row["chain"]))


def _add(first: LineProfile, second: LineProfile) -> LineProfile:
    return replace(first, **{name: getattr(first, name) + getattr(second, name) for name in _FIGURES})
