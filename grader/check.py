"""Holds what a call left in the arena against what should be there. For the judge; decode.py has the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from grader import bounds
from grader.arena import POISON, Layout, Slot
from grader.contract import Contract
from grader.exercise import Case
from grader.launched import counted


@dataclass(frozen=True)
class Miss:
    """One output that is not what it should be. All tensors have the output's shape; `wrong` is the mask."""

    slot: Slot
    got: Tensor
    truth: Tensor
    bound: Tensor
    wrong: Tensor
    unwritten: Tensor


@dataclass(frozen=True)
class Expected:
    """What one set of inputs should give: the arena before the call, and truth and bound for each output."""

    image: Tensor
    truth: Mapping[str, Tensor]
    bound: Mapping[str, Tensor]


def layout_of(inputs: Mapping[str, Tensor], truth: Mapping[str, Tensor], dtype: str) -> Layout:
    """The call's tensors: inputs as they are, floating-point outputs in the task's type."""
    slots = [Slot(name, False, tuple(value.shape), _name(value.dtype)) for name, value in inputs.items()]
    for name, value in truth.items():
        slots.append(Slot(name, True, tuple(value.shape), dtype if value.is_floating_point() else _name(value.dtype)))
    return Layout(slots)


def expect(contract: Contract, case: Case, dtype: str, inputs: Mapping[str, Tensor]) -> tuple[Layout, Expected]:
    """Truth in float64 and the bound around it, from the exact (already rounded) inputs."""
    truth = contract.truth(inputs, case)
    layout = layout_of(inputs, truth, dtype)
    image = torch.empty(layout.size, dtype=torch.uint8, device=next(iter(truth.values())).device)
    layout.fill(image, inputs)
    wide = {name: value.double() for name, value in inputs.items() if value.is_floating_point()}
    bound = {}
    for name, value in truth.items():

        def reference(replaced: Sequence[Tensor], name: str = name) -> Tensor:
            others = {key: tensor for key, tensor in inputs.items() if key not in wide}
            return contract.evaluate({**others, **dict(zip(wide, replaced, strict=True))}, case)[name]

        family = bounds.FAMILIES[contract.exercise.family_of(name)]
        bound[name] = family(value, list(wide.values()), dtype, reference)
    return layout, Expected(image, truth, bound)


def misses(layout: Layout, expected: Expected, arena: Tensor) -> list[Miss]:
    """The outputs in `arena` that lie outside their bound."""
    found = []
    for slot in layout.slots:
        if not slot.writable:
            continue
        got = layout.tensor(arena, slot)
        truth, bound = expected.truth[slot.name], expected.bound[slot.name]
        right = is_right(got.double() if truth.is_floating_point() else got, truth, bound, got.dtype)
        if not bool(right.all()):
            raw = got.reshape(-1).view(torch.uint8).view(got.numel(), -1)
            unwritten = (raw == POISON).all(1).view(got.shape)
            found.append(Miss(slot, got.clone(), truth, bound, ~right, unwritten))
    return found


def sources(contract: Contract, layout: Layout, expected: Expected, output: Slot) -> dict[str, Tensor]:
    """The inputs that have an element for each of `output`, or of its rows, if it is made element by element."""
    if contract.exercise.family_of(output.name) not in bounds.ELEMENTWISE:
        return {}
    return {
        name: tensor
        for name, tensor in given(layout, expected).items()
        if tensor.shape == output.shape[len(output.shape) - tensor.dim() :]
    }


def given(layout: Layout, expected: Expected) -> dict[str, Tensor]:
    """The inputs by name, as the call found them in the arena."""
    return {slot.name: layout.tensor(expected.image, slot) for slot in layout.slots if not slot.writable}


def specials(inputs: Mapping[str, Tensor]) -> str:
    """Which inputs hold infinities or NaN, as half a sentence; empty if none does."""
    found = []
    for name, tensor in inputs.items():
        if tensor.is_floating_point() and not bool(tensor.isfinite().all()):
            kinds = {"-inf": tensor == float("-inf"), "inf": tensor == float("inf"), "NaN": tensor.isnan()}
            held = [f"{int(mask.sum())} x {kind}" for kind, mask in kinds.items() if bool(mask.any())]
            found.append(f"`{name}` holds {', '.join(held)}")
    return "; ".join(found)


def is_right(got: Tensor, truth: Tensor, bound: Tensor, dtype: torch.dtype) -> Tensor:
    """Elementwise: within the bound, or the same infinity or NaN as the truth rounded to `dtype`. An infinite bound,
    as infinite inputs give, allows nothing.

    An unwritten NaN where the truth is NaN cannot be told from a written one, so other data must tell.
    """
    if not truth.is_floating_point():
        return got == truth
    expected = truth.to(dtype).double()
    near = (got - truth).abs() <= bound.where(bound.isfinite(), 0.0)
    return near | (got == expected) | (got.isnan() & expected.isnan())


def worst(layout: Layout, expected: Expected, arena: Tensor) -> float:
    """The largest error over all outputs in units of the bound; where the bound is 0, any error is infinite."""
    largest = 0.0
    for slot in layout.slots:
        truth = expected.truth.get(slot.name)
        if not slot.writable or truth is None or not truth.is_floating_point() or not truth.numel():
            continue
        error = (layout.tensor(arena, slot).double() - truth).abs()
        ratio = torch.where(error == 0, error, error / expected.bound[slot.name])
        finite = ratio[truth.isfinite() & ratio.isfinite()]
        largest = max(largest, float(finite.max()) if finite.numel() else 0.0)
    return largest


def damage(layout: Layout, expected: Expected, arena: Tensor) -> str | None:
    """A sentence if the call wrote outside its outputs: into an input, or into a red zone."""
    for slot in layout.slots:
        if not slot.writable:
            before, after = layout.tensor(expected.image, slot), layout.tensor(arena, slot)
            changed = (before.view(-1).view(torch.uint8) != after.view(-1).view(torch.uint8)).nonzero()
            if changed.numel():
                index = int(changed[0]) // slot.torch_dtype.itemsize
                return f"solve() changed its input `{slot.name}`, first at element {index}; inputs are read only"
    for slot, side, start, end in layout.zones():
        hit = (arena[start:end] != expected.image[start:end]).nonzero()
        if hit.numel():
            byte = int(hit[0]) if side == "after" else end - start - int(hit[-1])
            elements = byte // slot.torch_dtype.itemsize
            where = f"{counted(elements, 'element')} {'past its end' if side == 'after' else 'before its start'}"
            return f"out of bounds: the kernel wrote to `{slot.name}`, {where} (shape {slot.shape})"
    return None


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
