"""What of the timing on a GPU can be tested without one."""

from __future__ import annotations

import pytest

from grader.bench import fit
from grader.contract import load_contract
from grader.exercise import Exercise


@pytest.mark.parametrize(("free", "size", "scaled"), [(1 << 40, 1 << 26, False), (20 << 30, 1 << 25, True)])
def test_the_timed_case_is_halved_until_it_fits(exercise: Exercise, free: int, size: int, scaled: bool) -> None:
    assert fit(load_contract(exercise), "float32", free) == ({"n": size}, scaled)


def test_a_card_without_any_memory_ends_the_halving(exercise: Exercise) -> None:
    assert fit(load_contract(exercise), "float32", 0) == ({"n": 1}, True)
