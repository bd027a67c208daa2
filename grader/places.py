"""Where the wrong elements of an output lie, in words, and what that says about a launch that left them unwritten."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from grader.check import Miss
from grader.launched import Launched


@dataclass(frozen=True)
class Pattern:
    """What the wrong elements have in common, and a hint about its usual cause."""

    text: str
    hint: str


def never_written(miss: Miss, launched: Launched | None) -> Pattern | None:
    """The pattern of a call that left elements unwritten and got no other wrong."""
    if not bool(miss.unwritten[miss.wrong].all()):
        return None
    if bool(miss.wrong.all()):
        return Pattern("nothing was written", "does a launch happen, and does the kernel store its result?")
    found = place(miss)
    tail = _tail(miss.wrong)
    if launched is None:
        hint = found.hint if found else "every element needs a thread that stores it"
    else:
        few = _too_few(tail, miss.wrong.numel(), launched) if tail is not None else None
        if pattern := _swapped(miss.wrong, launched) or few:
            return pattern
        hint = _cover(miss, launched)
    return Pattern(f"never written: {found.text}" if found else "never written", hint)


def _too_few(first: int, total: int, launched: Launched) -> Pattern | None:
    """All that was launched did its share, up to `first`, and the rest got nobody: more than a block's worth only if
    a share is one element, for else something other than the grid may have set the end.
    """
    each, tile = first // launched.threads, first // launched.blocks
    is_tail = total - first < tile
    if first % launched.threads or (each > 1 and not is_tail):
        return None
    name = launched.name or str(launched.size)
    span = name if each == 1 else f"{each} * {name}"
    shares = "" if each == 1 else f", {each} for each {'element of a block' if launched.name else 'thread'}"
    what = "programs" if launched.name else "blocks"
    return Pattern(
        f"never written: {f'only the last partial tile of {tile}' if is_tail else _from(first, total).text}",
        f"the launch, {launched}, covers {first} of {total} elements{shares}; "
        f"cdiv(n, {span}) {what} cover all (the last one needs a bounds check)",
    )


TILES = (8, 16, 32, 64, 128, 256)
"""Rows or columns that one block usually covers."""


def _swapped(wrong: Tensor, launched: Launched) -> Pattern | None:
    """A grid whose x fits the rows and whose y fits the columns, where it should be the other way round."""
    if wrong.dim() < 2 or len(launched.grid) < 2:
        return None
    rows, cols = wrong.shape[-2:]
    x, y = launched.grid[:2]
    if x == y or not any(_blocks(rows, tile) == x and _blocks(cols, tile) == y for tile in TILES):
        return None
    return Pattern(
        f"never written: {int(wrong.sum())} elements that no block reaches",
        f"the grid is {x} x {y} blocks: are the two swapped? x counts along the {cols} columns, as threadIdx.x "
        f"does, and y along the {rows} rows",
    )


def _blocks(size: int, tile: int) -> int:
    return -(-size // tile)


def _cover(miss: Miss, launched: Launched) -> str:
    total = miss.wrong.numel()
    if launched.threads < total:
        reach = f"{launched.threads} threads" if not launched.name else f"{launched.threads} elements"
        return (
            f"the launch, {launched}, is {reach} for {total} elements: is the grid too small, or "
            "does a loop or a guard stop early?"
        )
    index = tuple(int(i) for i in miss.wrong.nonzero()[0])
    if miss.wrong.dim() > 1:
        look = "the index (row * columns + column?)"
    else:
        look = "the offsets (program_id?)" if launched.name else "the index (blockIdx?)"
    return (
        f"the launch, {launched}, is enough for {total} elements, but nobody wrote {miss.slot.name}{list(index)}: "
        f"look at {look} and the {'mask' if launched.name else 'guard'}"
    )


def place(miss: Miss) -> Pattern | None:
    """Where the wrong elements lie, if that says something."""
    first = _tail(miss.wrong)
    found = _lines(miss) or (_from(first, miss.wrong.numel()) if first is not None else None)
    if found and not bool(miss.unwritten[miss.wrong].any()):
        return Pattern(
            found.text, "they were stored, but wrong: what is special there? The last block, a mask, a loop's end"
        )
    return found or _stride(miss.wrong)


def _tail(wrong: Tensor) -> int | None:
    """The flat index from which on everything is wrong, and before which nothing is."""
    flat = wrong.reshape(-1).nonzero().reshape(-1)
    first = int(flat[0])
    return first if first > 0 and first + flat.numel() == wrong.numel() else None


def _from(first: int, total: int) -> Pattern:
    text = "only the last element" if first == total - 1 else f"everything from index {first} on"
    return Pattern(text, "a grid that is too small, a bound that is too tight, or a loop that stops early")


def _lines(miss: Miss) -> Pattern | None:
    """The same columns of every row, or whole rows, of an output with at least two dimensions."""
    wrong, shape = miss.wrong, miss.wrong.shape
    if wrong.dim() < 2:
        return None
    others = [axis for axis in range(wrong.dim()) if shape[axis] > 1]
    for axis in reversed(others):
        along = wrong.transpose(0, axis).reshape(shape[axis], -1)
        hit = along.any(1)
        if bool(hit.all()) or not bool((along == hit[:, None]).all()):
            continue
        numbers = _ranges(hit)
        if numbers is None:
            return None
        if wrong.dim() == 2:
            text = f"{('row', 'column')[axis]}{numbers} of every {('column', 'row')[axis]}"
        else:
            named = f"indices{numbers[1:]}" if numbers[0] == "s" else f"index{numbers}"
            text = f"{named} of dimension {axis}, everywhere"
        return Pattern(text, f"do the launch and the guard cover all {shape[axis]} of them?")
    return None


def _ranges(hit: Tensor) -> str | None:
    """ " 32", "s 3 to 7", or every second one ("s 1, 3, 5 ..."); None where there is no order in it."""
    numbers = hit.nonzero().reshape(-1)
    first, count = int(numbers[0]), numbers.numel()
    if count == 1:
        return f" {first}"
    steps = numbers.diff()
    if not bool((steps == steps[0]).all()):
        return None
    if int(steps[0]) == 1:
        return f"s {first} to {int(numbers[-1])}"
    return f"s {', '.join(map(str, numbers[:3].tolist()))}{' ...' if count > 3 else ''}"


def _stride(wrong: Tensor) -> Pattern | None:
    flat = wrong.reshape(-1).nonzero().reshape(-1)
    steps = torch.diff(flat)
    if flat.numel() < 3 or int(steps[0]) == 1 or not bool((steps == steps[0]).all()):
        return None
    text = f"every {ordinal(int(steps[0]))} element, from {int(flat[0])}"
    return Pattern(text, "an index or stride counts in the wrong unit")


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th."""
    teens = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
