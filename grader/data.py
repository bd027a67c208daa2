"""Input data: the kinds of values that tell right kernels from lucky ones (see each kind's own line).

Every kind returns float64 values that the caller rounds to the task's element type. `step` is the largest power
of two below which all integers are exact in that type, so that position-coded values survive the rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]
    Kind = Callable[[np.random.Generator, tuple[int, ...], int], Array]

EXACT_INTEGERS: Mapping[str, int] = {"float32": 2**24, "float16": 2**11, "bfloat16": 2**8}


def normal(rng: np.random.Generator, shape: tuple[int, ...], step: int) -> Array:
    """N(0, 1): what most data looks like."""
    return rng.standard_normal(shape)


def positions(rng: np.random.Generator, shape: tuple[int, ...], step: int) -> Array:
    """Each value says where it stands: a wrong index can be read off the result."""
    import numpy as np

    size = int(np.prod(shape))
    return ((np.arange(size) % step + 1.0) / step).reshape(shape)


def integers(rng: np.random.Generator, shape: tuple[int, ...], step: int) -> Array:
    """Small whole numbers: sums and products are exact in any order."""
    return rng.integers(-8, 9, shape).astype(float)


def impulse(rng: np.random.Generator, shape: tuple[int, ...], step: int) -> Array:
    """Zero everywhere but in the last slot, the one that a wrong bound loses."""
    values = rng.standard_normal(shape) * 0
    values.flat[-1] = 1.0
    return values


def wide(rng: np.random.Generator, shape: tuple[int, ...], step: int) -> Array:
    """Magnitudes from 1e-4 to 1e3 with both signs: overflow, underflow and cancellation show."""
    return rng.choice([-1.0, 1.0], shape) * 10.0 ** rng.uniform(-4, 3, shape)


def nonfinite(rng: np.random.Generator, shape: tuple[int, ...], step: int) -> Array:
    """NaN, +-inf and -0 among ordinary values: they must propagate as the reference propagates them."""
    values = rng.standard_normal(shape)
    for special in (float("-inf"), float("inf"), -0.0, float("nan")):
        values.flat[rng.integers(0, values.size, 1 + values.size // 64)] = special
    return values


def benign_prefix(rng: np.random.Generator, shape: tuple[int, ...], step: int) -> Array:
    """Tame at the front, large behind: catches code that looks at the first values and picks a short cut."""
    values = rng.standard_normal(shape) * 30
    values.reshape(-1)[: values.size // 2] = 0.5
    return values


def shifted(rng: np.random.Generator, shape: tuple[int, ...], step: int) -> Array:
    """A mean of 1000 standard deviations: a variance from sums of squares cancels to nothing."""
    return rng.standard_normal(shape) + 1000.0


def tiny_spread(rng: np.random.Generator, shape: tuple[int, ...], step: int) -> Array:
    """A standard deviation about the root of the usual eps, 1e-5: another eps shows."""
    return rng.standard_normal(shape) * 3e-3


def logits(rng: np.random.Generator, shape: tuple[int, ...], step: int) -> Array:
    """Up to +-200: their exponentials overflow unless the maximum is taken off first."""
    return rng.uniform(-200, 200, shape)


def ties(rng: np.random.Generator, shape: tuple[int, ...], step: int) -> Array:
    """Few different values, so that the largest comes more than once."""
    return rng.integers(-2, 3, shape).astype(float)


def constant(rng: np.random.Generator, shape: tuple[int, ...], step: int) -> Array:
    """All the same: a variance of 0, a softmax of 1/n."""
    import numpy as np

    return np.full(shape, 1.5)


KINDS: Mapping[str, Kind] = {
    kind.__name__: kind
    for kind in (
        *(normal, positions, integers, impulse, wide, nonfinite, benign_prefix),
        *(shifted, tiny_spread, logits, ties, constant),
    )
}
ELEMENTWISE_KINDS = tuple(KINDS)[:7]
"""What elementwise exercises are checked with unless they name others."""
