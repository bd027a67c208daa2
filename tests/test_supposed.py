"""Answers of known mistakes: each is recognised as what it is, and a right answer as none of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
import torch
from support import ROOT
from torch import Tensor

from grader.check import expect, misses
from grader.contract import Contract, load_contract
from grader.decode import decode
from grader.discover import select
from grader.exercise import Case
from grader.supposed import MAX_ELEMENTS, suppositions

Kernel = Callable[..., Tensor]


def contract(slug: str) -> Contract:
    (exercise,) = select(ROOT, [slug])
    return load_contract(exercise)


def explained(slug: str, case: Case, kernel: Kernel, kind: str = "normal") -> str:
    """What is said of `kernel`'s answer, a float32 function of the exercise's inputs."""
    task = contract(slug)
    inputs = task.inputs(case, kind, "float32", 3)
    layout, expected = expect(task, case, "float32", inputs)
    arena = expected.image.clone()
    output = next(slot for slot in layout.slots if slot.writable)
    layout.tensor(arena, output).copy_(kernel(**inputs).reshape(output.shape))
    found = misses(layout, expected, arena)
    assert found, "the mistake does not show"
    decoded = decode(found[0], supposed=suppositions(task, case, inputs))
    return "\n".join((decoded.summary, *decoded.lines))


def padded(x: Tensor, columns: int) -> Tensor:
    return torch.cat((x, x.new_zeros(len(x), columns)), 1)


@pytest.mark.parametrize(
    ("slug", "case", "kernel", "said"),
    [
        ("sum_reduction", {"n": 1025}, lambda x: x[:-1].sum(), "the answer without the last element of `x`"),
        ("sum_reduction", {"n": 1030}, lambda x: x[:-6].sum(), "the answer without the last 6 elements of `x`"),
        ("sum_reduction", {"n": 1025}, lambda x: x[1:].sum(), "the answer without the first element of `x`"),
        (
            "naive_matmul",
            {"m": 5, "n": 7, "k": 37},
            lambda a, b: a[:, :32] @ b[:32],
            "the answer without the last 5 columns of `a`",
        ),
        (
            "naive_matmul",
            {"m": 5, "n": 7, "k": 64},
            lambda a, b: a[:, :-1] @ b[:-1],
            "the answer without the last column of `a`",
        ),
        (
            "softmax",
            {"rows": 3, "cols": 33},
            lambda x: torch.softmax(padded(x, 31), 1)[:, :33],
            "the answer if 31 zeros followed each row of `x`",
        ),
        (
            "softmax",
            {"rows": 3, "cols": 33},
            lambda x: torch.softmax(x[:, :32], 1)[:, [*range(32), 0]] * torch.tensor([1.0] * 32 + [0.0]),
            "the answer without the last column of `x`",
        ),
    ],
)
def test_a_known_mistake_is_named(slug: str, case: Case, kernel: Kernel, said: str) -> None:
    text = explained(slug, case, kernel)
    assert said in text, text


def test_no_mistake_is_made_up() -> None:
    text = explained("naive_matmul", {"m": 5, "n": 7, "k": 37}, lambda a, b: torch.sin(a @ b))
    assert "the answer" not in text


def test_large_inputs_are_left_alone() -> None:
    task = contract("sum_reduction")
    inputs: Mapping[str, Tensor] = {"x": torch.zeros(MAX_ELEMENTS + 1)}
    assert not list(suppositions(task, {"n": MAX_ELEMENTS + 1}, inputs))
