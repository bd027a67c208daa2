"""Arithmetic with directed rounding: "z" towards zero, "m" towards minus infinity, "p" towards plus infinity."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from grader.vgpu.fpmath import fma_f64, sum_to_odd, two_product, two_sum
from grader.vgpu.types import Array


def direct(value: Array, excess: Array, mode: str) -> Array:
    """Adjust a nearest-rounded value so that it is rounded in direction `mode`. `excess` has the sign of
    (value - exact value)."""
    down = np.nextafter(value, value.dtype.type(-np.inf))
    up = np.nextafter(value, value.dtype.type(np.inf))
    too_high, too_low = excess > 0, excess < 0
    if mode == "m":
        fixed = np.where(too_high, down, value)
    elif mode == "p":
        fixed = np.where(too_low, up, value)
    else:
        fixed = np.where(too_high & (value > 0), down, np.where(too_low & (value < 0), up, value))
    return np.where(np.isnan(excess), value, fixed)


def narrow_directed(wide: Array, mode: str) -> Array:
    """A double (exact, or rounded to odd) to single precision, rounded in direction `mode`."""
    near = wide.astype(np.float32)
    return direct(near, near.astype(np.float64) - wide, mode)


def add_directed(a: Array, b: Array, mode: str) -> Array:
    if a.dtype == np.float32:
        return signed_zero(narrow_directed(sum_to_odd(a.astype(np.float64), b.astype(np.float64)), mode), a, b, mode)
    total, error = two_sum(a, b)
    excess = np.where(_overflowed(total, a, b), total, -error)
    return signed_zero(direct(total, excess, mode), a, b, mode)


def _overflowed(near: Array, *operands: Array) -> Array:
    """Whether an infinite result came from finite operands. Its excess has its own sign."""
    result: Array = np.isinf(near)
    for operand in operands:
        result = result & np.isfinite(operand)
    return result


def signed_zero(result: Array, a: Array, b: Array, mode: str) -> Array:
    """x + -x is -0 when rounding towards minus infinity."""
    if mode != "m":
        return result
    return np.where((result == 0) & ~((a == 0) & (b == 0) & ~np.signbit(a) & ~np.signbit(b)), -np.abs(result), result)


def mul_directed(a: Array, b: Array, mode: str) -> Array:
    if a.dtype == np.float32:
        return narrow_directed(a.astype(np.float64) * b, mode)
    near = a * b
    return direct(near, -_compare(a, b, near), mode)


def fma_directed(a: Array, b: Array, c: Array, mode: str) -> Array:
    if a.dtype == np.float32:
        product = a.astype(np.float64) * b
        return narrow_directed(signed_zero(sum_to_odd(product, c.astype(np.float64)), product, c, mode), mode)
    near = fma_f64(a, b, c)
    excess: Array = np.where(_overflowed(near, a, b, c), near, fma_excess(near, a, b, c))
    return direct(np.where(excess == 0, signed_zero(near, a * b, c, mode), near), excess, mode)


def fma_excess(near: Array, a: Array, b: Array, c: Array) -> Array:
    """The sign of near - (a * b + c), lane by lane."""
    shape = np.broadcast_shapes(np.shape(a), np.shape(b), np.shape(c))
    lanes = [np.broadcast_to(x, shape).reshape(-1).tolist() for x in (near, a, b, c)]
    signs = []
    for n, x, y, z in zip(*lanes, strict=True):
        if not all(map(np.isfinite, (n, x, y, z))):
            signs.append(0.0)
            continue
        difference = Fraction(n) - (Fraction(x) * Fraction(y) + Fraction(z))
        signs.append(float((difference > 0) - (difference < 0)))
    return np.array(signs).reshape(shape)


def div_directed(a: Array, b: Array, mode: str) -> Array:
    near = a / b
    excess = _compare(near, b, a) * np.where(b < 0, -1, 1)
    return direct(near, np.where(_overflowed(near, a, b) & (b != 0), near, excess), mode)


def sqrt_directed(a: Array, mode: str) -> Array:
    near = np.sqrt(a)
    return direct(near, _compare(near, near, a), mode)


def _compare(x: Array, y: Array, target: Array) -> Array:
    """A number with the sign of x * y - target, or NaN. Doubles are scaled, so that nothing over- or underflows."""
    if x.dtype == np.float32:
        return x.astype(np.float64) * y - target
    (x, i), (y, j), (target, k) = np.frexp(x), np.frexp(y), np.frexp(target)
    product, error = two_product(x, y)
    return (product - np.ldexp(target, np.clip(k - i - j, -200, 200))) + error
