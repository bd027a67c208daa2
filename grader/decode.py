"""Turns a wrong output into words: where, what came instead, which pattern, and what that pattern usually means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from grader.check import Miss, is_right
from grader.launched import Launched
from grader.places import Pattern, never_written, place
from grader.supposed import Supposed

TELLING = 1000.0
"""Above this, how many times the bound an error is says nothing more than that the value is wrong."""

ENOUGH = 8
"""So many wrong elements with a neighbour's value are no coincidence, even where neighbours hardly differ."""


@dataclass(frozen=True)
class Decoded:
    """A miss in words. `summary` is half a sentence; `lines` are the details."""

    summary: str
    lines: tuple[str, ...]


def decode(
    miss: Miss,
    previous: Tensor | None = None,
    launched: Launched | None = None,
    inputs: Mapping[str, Tensor] | None = None,
    supposed: Iterable[Supposed] = (),
) -> Decoded:
    """Describe `miss`; `previous` is the truth of the call before, if that had other data, `launched` the call's one
    launch, `inputs` what an element was to be made of, where that is the inputs' elements of the same index,
    `supposed` the answers of known mistakes.
    """
    indices = miss.wrong.nonzero()
    first = tuple(int(i) for i in indices[0])
    name, count, total = miss.slot.name, len(indices), miss.wrong.numel()
    pattern = _pattern(miss, previous, launched, supposed)
    lines = [_first(miss, first)]
    sources = [] if bool(miss.unwritten[first]) else _sources(first, inputs or {})
    lines += [f"made of {', '.join(sources)}"] if sources else []
    if 1 < count < total:
        low, high = indices.min(0).values.tolist(), indices.max(0).values.tolist()
        lines.append(f"wrong between {name}{low} and {name}{high}")
    if pattern:
        lines += [f"pattern: {pattern.text}", f"hint: {pattern.hint}"]
    elif sources:
        lines.append(f"hint: work {name}{list(first)} out by hand from these, line by line as the kernel does it")
    summary = f"{count} of {total} elements of `{name}` wrong"
    return Decoded(summary + (f": {pattern.text}" if pattern else ""), tuple(lines))


def _first(miss: Miss, index: tuple[int, ...]) -> str:
    unwritten = bool(miss.unwritten[index])
    got = "nothing (never written)" if unwritten else _number(miss.got[index])
    text = f"first at {miss.slot.name}{list(index)}: got {got}, expected {_number(miss.truth[index])}"
    error = float((miss.got[index].double() - miss.truth[index]).abs())
    if unwritten or not miss.truth.is_floating_point() or error != error:
        return text
    bound = float(miss.bound[index])
    if bound == 0:
        return f"{text} (off by {error:.3g}; it must be exact)"
    times = error / bound
    return f"{text} (off by {error:.3g}{f', {times:.3g} times the bound' if times <= TELLING else ''})"


def _sources(index: tuple[int, ...], inputs: Mapping[str, Tensor]) -> list[str]:
    """ "a[3] = 0.25" for every input that has an element for this one, rows and the like included."""
    places = {name: index[len(index) - tensor.dim() :] for name, tensor in inputs.items()}
    return [f"{name}{list(places[name])} = {_number(tensor[places[name]])}" for name, tensor in inputs.items()]


def _pattern(
    miss: Miss, previous: Tensor | None, launched: Launched | None, supposed: Iterable[Supposed]
) -> Pattern | None:
    """The first pattern that explains every wrong element."""
    if previous is not None and bool(miss.wrong.sum() > 1) and _fits(miss, previous):
        return Pattern(
            "the previous call's answer, though the data has changed",
            "compute from the tensors of this call; nothing may be kept from an earlier one",
        )
    if pattern := never_written(miss, launched) or _first_of(_EXACT, miss):
        return pattern
    mistakes = (one.pattern for one in supposed if _is_answer(miss, one.outputs[miss.slot.name]))
    return next(mistakes, None) or _first_of(_VAGUE, miss)


def _first_of(patterns: Iterable[Callable[[Miss], Pattern | None]], miss: Miss) -> Pattern | None:
    return next((pattern for find in patterns if (pattern := find(miss))), None)


def _is_answer(miss: Miss, other: Tensor) -> bool:
    """Whether all of the output, not only what is wrong of it, answers the question that `other` answers."""
    if other.shape != miss.truth.shape or bool(miss.unwritten.any()):
        return False
    got = miss.got.double() if miss.truth.is_floating_point() else miss.got
    return bool(is_right(got, other, miss.bound, miss.got.dtype).all())


def _fits(miss: Miss, other: Tensor) -> bool:
    """Whether the wrong elements are right answers to the question that `other` answers."""
    if other.shape != miss.truth.shape or miss.unwritten[miss.wrong].any():
        return False
    got = miss.got.double() if miss.truth.is_floating_point() else miss.got
    fits = is_right(got, other, miss.bound, miss.got.dtype)
    distinct = bool((other[miss.wrong] != other[miss.wrong][0]).any()) or int(miss.wrong.sum()) == 1
    return bool(fits[miss.wrong].all()) and distinct


def _special(miss: Miss) -> Pattern | None:
    truth, got = miss.truth, miss.got
    if not truth.is_floating_point():
        return None
    if bool(truth[miss.wrong].isnan().all()):
        return Pattern(
            "NaN in the input did not reach the output",
            "comparisons with NaN are false, and fmaxf/fminf drop it: order the comparison so that NaN passes",
        )
    if bool(got[miss.wrong].isnan().all()) and not bool(got[miss.wrong & truth.isnan()].any()):
        return Pattern(
            "NaN where a number should be",
            "inf - inf, 0 * inf, inf / inf, or a value that was never loaded (a masked tl.load without `other`)",
        )
    if bool(got[miss.wrong].isinf().all()):
        return Pattern(
            "infinity where a number should be", "something overflowed: exp of a large number, or a half type"
        )
    return None


def _zero(miss: Miss) -> Pattern | None:
    if bool((miss.got[miss.wrong] == 0).all()) and int(miss.wrong.sum()) > 1:
        found = place(miss)
        return Pattern(
            "zero" + (f", {found.text}" if found else ""),
            "a value was stored before it was computed, or masked away, or its loop took no step",
        )
    return None


def _factor(miss: Miss) -> Pattern | None:
    truth, got = miss.truth[miss.wrong], miss.got[miss.wrong]
    if not truth.is_floating_point() or truth.numel() < 2 or not bool((truth != 0).all()):
        return None
    ratio = got.double() / truth
    middle = float(ratio.median())
    if not bool(((ratio - middle).abs() < 1e-3 * abs(middle)).all()) or abs(middle - 1) < 1e-2:
        return None
    known = {2.0: "twice", 0.5: "half", -1.0: "minus"}
    name = known.get(round(middle, 3), f"{middle:.4g} times")
    return Pattern(f"{name} the right value", "a term is added twice or left out, or a factor is wrong")


def _shifted(miss: Miss) -> Pattern | None:
    flat = miss.truth.reshape(-1)
    for shift in (1, -1, 2, -2, 32, -32):
        if abs(shift) >= flat.numel():
            continue
        moved = torch.roll(flat, -shift).view(miss.truth.shape)
        edge = torch.zeros_like(flat, dtype=torch.bool)
        edge[-shift:] = shift > 0
        edge[: max(0, -shift)] = shift < 0
        inner = miss.wrong & ~edge.view(miss.wrong.shape)
        if int(inner.sum()) > 1 and _fits(_only(miss, inner), moved) and not _by_chance(_only(miss, inner), moved):
            text = f"shifted: {miss.slot.name}[i] holds the value of {miss.slot.name}[i{shift:+d}]"
            flattened = ", counted row by row" if miss.truth.dim() > 1 else ""
            return Pattern(text + flattened, "an index is off")
    return None


def _by_chance(miss: Miss, moved: Tensor) -> bool:
    """Whether the wrong elements may only be imprecise, and so hit on `moved`, which is about what they should be. A
    wrong index would have spared none between them whose neighbour's value would be wrong.
    """
    if _imprecise(miss) is None:
        return False
    rounded = moved.to(miss.got.dtype).double()
    tells = ~is_right(rounded, miss.truth, miss.bound, miss.got.dtype)
    wrong = miss.wrong.reshape(-1).nonzero()
    first, last = int(wrong[0]), int(wrong[-1])
    return len(wrong) < ENOUGH or len(wrong) < 0.75 * int(tells.reshape(-1)[first : last + 1].sum())


def _transposed(miss: Miss) -> Pattern | None:
    if miss.truth.dim() < 2 or min(miss.truth.shape[-2:]) < 2:
        return None
    rows, cols = miss.truth.shape[-2:]
    swapped = miss.truth.transpose(-1, -2).reshape(*miss.truth.shape[:-2], rows, cols)
    if _fits(miss, swapped):
        return Pattern("transposed: rows and columns changed places", "row * columns + column is the row-major index")
    return None


def _imprecise(miss: Miss) -> Pattern | None:
    """Nearly right everywhere: the arithmetic, not the indexing. Where sums cancel, an error that is small beside the
    other results is large beside its own.
    """
    truth, got = miss.truth[miss.wrong], miss.got[miss.wrong]
    if not truth.is_floating_point():
        return None
    error = (got.double() - truth).abs()
    usual = float(miss.truth[miss.truth.isfinite()].square().mean().sqrt())
    if not bool((error <= 0.02 * truth.abs().clamp(min=max(0.05, 0.5 * usual))).all()):
        return None
    relative = float((error / truth.abs().clamp(min=1e-30)).median())
    if miss.truth.numel() == 1:
        return Pattern(
            f"close, but off by {relative:.1g} of the value",
            "is one element left out, or one counted twice? If not, then a half type inside: sum in float32",
        )
    return Pattern(
        f"close, but not precise enough (typically off by {relative:.1g} of the value)",
        "an approximate formula, a half type inside, or cancellation: compute in float32, round once at the end",
    )


def _only(miss: Miss, wrong: Tensor) -> Miss:
    return Miss(miss.slot, miss.got, miss.truth, miss.bound, wrong, miss.unwritten)


def _number(value: Tensor) -> str:
    number = value.item()
    return f"{number:.7g}" if isinstance(number, float) else str(number)


_EXACT: tuple[Callable[[Miss], Pattern | None], ...] = (_special, _transposed, _shifted, _factor, _zero)
_VAGUE: tuple[Callable[[Miss], Pattern | None], ...] = (_imprecise, place)
