"""Each kind of input data is what its line says."""

from __future__ import annotations

import numpy as np
import pytest

from grader.data import EXACT_INTEGERS, KINDS


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(1,), (33,), (5, 7), (2, 3, 4)])
def test_shape_and_replay(kind: str, shape: tuple[int, ...]) -> None:
    first, again = (KINDS[kind](np.random.default_rng(3), shape, 256) for _ in range(2))
    assert first.shape == shape
    assert np.array_equal(first, again, equal_nan=True)


@pytest.mark.parametrize("step", EXACT_INTEGERS.values())
def test_positions_are_distinct_up_to_the_step(step: int) -> None:
    values = KINDS["positions"](np.random.default_rng(0), (step,), step)
    assert np.unique(values).size == step
    assert values.max() == 1.0


def test_integers_are_whole_and_small() -> None:
    values = KINDS["integers"](np.random.default_rng(0), (1000,), 256)
    assert np.array_equal(values, np.round(values)) and np.abs(values).max() <= 8


def test_impulse_is_in_the_last_slot() -> None:
    values = KINDS["impulse"](np.random.default_rng(0), (3, 5), 256)
    assert values[-1, -1] == 1 and np.count_nonzero(values) == 1


def test_wide_reaches_both_ends() -> None:
    values = np.abs(KINDS["wide"](np.random.default_rng(0), (10_000,), 256))
    assert values.min() < 2e-4 and values.max() > 500


@pytest.mark.parametrize("size", [1, 2, 1000])
def test_nonfinite_always_holds_a_nan(size: int) -> None:
    assert np.isnan(KINDS["nonfinite"](np.random.default_rng(size), (size,), 256)).any()


def test_benign_prefix_is_tame_then_large() -> None:
    values = KINDS["benign_prefix"](np.random.default_rng(0), (1000,), 256)
    assert (values[:500] == 0.5).all() and np.abs(values[500:]).max() > 30
