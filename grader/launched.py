"""How the one kernel of a call was launched, for explaining which elements nobody wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any


@dataclass(frozen=True)
class Launched:
    """`blocks` blocks of `size` threads; or, where `name` is a Triton kernel's constant ("BLOCK"), as many programs
    of that many elements. `grid` is the blocks' x, y and z, where it is known.
    """

    blocks: int
    size: int
    name: str = ""
    grid: tuple[int, ...] = field(default=(), compare=False)

    @property
    def threads(self) -> int:
        """Threads; for Triton the elements that its programs cover."""
        return self.blocks * self.size

    def __str__(self) -> str:
        if self.name:
            return f"{counted(self.blocks, 'program')} of {self.name} = {counted(self.size, 'element')}"
        return f"{counted(self.blocks, 'block')} of {counted(self.size, 'thread')}"


def of_triton(grid: object, values: Mapping[str, Any]) -> Launched | None:
    """A launch over `grid` with a kernel's arguments and constants by name; None where a program's size is not plain
    to see.
    """
    sizes = [(name, value) for name, value in values.items() if "BLOCK" in name.upper() and _is_count(value)]
    if len(sizes) != 1 or not isinstance(grid, tuple) or not all(map(_is_count, grid)):
        return None
    name, size = sizes[0]
    return Launched(prod(grid), size, name)


def of_reply(reply: Mapping[str, Any]) -> Launched | None:
    """The launch that a worker's reply tells of, if there was just one and what it tells makes sense."""
    rows: list[Mapping[str, Any]] = list(reply.get("shapes") or ())
    if len(rows) != 1 or not all(_is_count(rows[0].get(key)) for key in ("blocks", "size")):
        return None
    grid = rows[0].get("grid") or ()
    known = isinstance(grid, (list, tuple)) and all(map(_is_count, grid))
    return Launched(
        rows[0]["blocks"], rows[0]["size"], str(rows[0].get("name", ""))[:40], tuple(grid) if known else ()
    )


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def counted(count: int, what: str) -> str:
    """ "1 thread", "2 threads" """
    return f"{count} {what}{'' if count == 1 else 's'}"
