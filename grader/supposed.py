"""What a kernel would answer that overlooks some of its input, or counts something beyond it: each usual mistake's
own answer, worked out by the reference on changed inputs. A wrong output that is one of these has its explanation.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from grader.contract import Contract
from grader.exercise import Case, ExerciseError
from grader.launched import counted
from grader.places import Pattern

TILES = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
"""How many elements a block, a warp or a loop's step may take at a time."""

FILLS = (0.0, float("-inf"), float("inf"))
"""What leaves a sum, a maximum and a minimum as they are: an element replaced by it is an element left out."""

MAX_ELEMENTS = 1 << 20
SECONDS = 2.0
"""Larger inputs are not tried, and nothing is tried for longer: an explanation must not cost more than the check."""


@dataclass(frozen=True)
class Supposed:
    """One mistake, and what the outputs would be with it, by name."""

    pattern: Pattern
    outputs: Mapping[str, Tensor]


def suppositions(contract: Contract, case: Case, inputs: Mapping[str, Tensor]) -> Iterator[Supposed]:
    """The answers of kernels with one mistake each, the most usual first."""
    if sum(tensor.numel() for tensor in inputs.values()) > MAX_ELEMENTS:
        return
    wide = {name: value.double() if value.is_floating_point() else value for name, value in inputs.items()}
    until = time.monotonic() + SECONDS
    for pattern, changed, shape in _mistakes(wide):
        if time.monotonic() > until:
            return
        try:
            outputs = contract.evaluate(changed, case)
        except ExerciseError:  # a reference that needs its inputs' shapes as they were
            continue
        yield Supposed(pattern, {name: _cut(value, shape) for name, value in outputs.items()})


def _mistakes(inputs: Mapping[str, Tensor]) -> Iterator[tuple[Pattern, dict[str, Tensor], tuple[int, ...] | None]]:
    """A mistake, the inputs that show it, and the shape that an output of the inputs' shape is cut back to."""
    for name, tensor in inputs.items():
        if not tensor.is_floating_point():
            continue
        for axis in reversed(range(tensor.dim())):
            extent = tensor.shape[axis]
            for start, count in _parts(extent):
                for fill in FILLS:
                    changed = tensor.clone()
                    changed.narrow(axis, start, count).fill_(fill)
                    yield _left_out(name, tensor, axis, start, count), {**inputs, name: changed}, None
    for name, tensor in inputs.items():
        if not tensor.is_floating_point() or not tensor.dim():
            continue
        extent = tensor.shape[-1]
        for more in sorted({-extent % tile for tile in TILES} - {0}):
            padded = torch.cat((tensor, tensor.new_zeros(*tensor.shape[:-1], more)), -1)
            yield _beyond(name, tensor, more), {**inputs, name: padded}, tuple(tensor.shape)


def _parts(extent: int) -> list[tuple[int, int]]:
    """Start and length of what is usually overlooked: the last element, the last partial tile, the first element,
    the last whole tile.
    """
    partial = sorted({extent % tile for tile in TILES if tile < extent} - {0, 1})
    whole = [tile for tile in TILES if tile < extent and extent % tile == 0]
    parts = [(extent - 1, 1), *((extent - count, count) for count in partial), (0, 1)]
    return [*parts, *((extent - tile, tile) for tile in whole)] if extent > 1 else []


def _left_out(name: str, tensor: Tensor, axis: int, start: int, count: int) -> Pattern:
    extent = tensor.shape[axis]
    which = "first" if start == 0 else "last"
    whose = _unit(tensor, axis)
    if count == 1:
        return Pattern(
            f"the answer without the {which} {whose} of `{name}`",
            f"do the index, the loop and the guard reach all {extent} of them?",
        )
    return Pattern(
        f"the answer without the last {counted(count, whose)} of `{name}`",
        f"do the launch and the loop cover all {extent} of them? The last, partial tile counts too",
    )


def _beyond(name: str, tensor: Tensor, more: int) -> Pattern:
    where = "`" + name + "`" if tensor.dim() == 1 else f"each row of `{name}`"
    return Pattern(
        f"the answer if {counted(more, 'zero')} followed {where}",
        f"threads beyond the end take part with a 0: give them what changes nothing (for a maximum -inf), or leave "
        f"them out; in Triton that is `other=` of the masked tl.load (the row has {tensor.shape[-1]} elements)",
    )


def _unit(tensor: Tensor, axis: int) -> str:
    if tensor.dim() == 1:
        return "element"
    return {tensor.dim() - 1: "column", tensor.dim() - 2: "row"}.get(axis, f"entry of dimension {axis}")


def _cut(output: Tensor, shape: tuple[int, ...] | None) -> Tensor:
    """An output that grew with its input, without what was added."""
    if shape is None or output.dim() != len(shape) or output.shape[:-1] != shape[:-1]:
        return output
    return output[..., : shape[-1]]
