"""Inputs of the parity forms: edge values, rounding midpoints and random bits, the same on every machine.

A kind is a PTX type, with an optional flavour: "f32", "u32:small", "f16x2:unit". Bits come from SHAKE-256 rather than
from a random number generator, whose stream might change between NumPy versions.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[np.uint64]
LANES = 512
FLOATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}  # bits of exponent and fraction
_KEPT = (1, 2, 3, 7, 10, 20)  # fraction bits of narrower formats: e5m2, fp4, e4m3, bf16, f16 and tf32, ...
_NUMBERS = [0.0, 1.0, 0.5, 1.5, 2.5, 3.0, 127.5, 255.5, 448.0, 464.0, 480.0, 2.0**-9, 2.0**-10, 2.0**-14, 2.0**-17]
_NUMBERS += [57344.0, 61440.0, 65504.0, 65519.0, 65520.0, 65535.5, 32767.5, 2.0**31, 2.0**32, 2.0**63, 2.0**64]
_NUMBERS += [2.0**31 - 1, 2.0**24 + 1, 3.14159265, 0.1, 88.7, 127.99, 1e-3, 1e30, 2.0**-24, 2.0**-25, 2.0**-126]


def width(kind: str) -> int:
    """Bits of a kind."""
    type_ = kind.split(":")[0]
    if type_ == "pred":
        return 32
    if type_.endswith("x2"):
        return 2 * width(type_[:-2])
    return {"e4m3": 8, "e5m2": 8, "tf32": 32}.get(type_) or int("".join(filter(str.isdigit, type_)))


def inputs_of(name: str, kinds: Sequence[str]) -> list[Column]:
    """One column of LANES values for each kind; `name` seeds them. Some operands repeat the first one."""
    columns: list[Column] = []
    for index, kind in enumerate(kinds):
        values = column(kind, f"{name}/{index}", first=index == 0)
        if index and kind == kinds[0] and ":" not in kind:
            values = np.where(_words(f"{name}/{index}/same", LANES) % 8 == 0, columns[0], values)
        columns.append(values)
    return columns


def column(kind: str, seed: str, first: bool) -> Column:
    """LANES values: half of them edges (all of them in turn, for the first operand), a quarter ordinary numbers, a
    quarter random bits."""
    type_, _, flavour = kind.partition(":")
    if type_.endswith("x2"):
        half = type_[:-2] + (f":{flavour}" if flavour else "")
        low, high = column(half, seed + "/low", first), column(half, seed + "/high", False)
        return low | high << np.uint64(width(half))
    if flavour:
        return _FLAVOURS[flavour](type_, _words(seed, LANES))
    words = _words(seed, 3 * LANES).reshape(3, LANES)
    edges = np.array(edges_of(type_), np.uint64)
    mask = np.uint64(2 ** width(type_) - 1)
    order = np.arange(LANES) if first else words[0] % np.uint64(edges.size)
    chosen = np.where(order < edges.size, edges[np.minimum(order, edges.size - 1)], edges[words[0] % edges.size])
    usual = ordinary(type_, words[1], words[2]) if type_ in FLOATS else words[1] % np.uint64(64)
    lane = np.arange(LANES)
    return np.where(lane < LANES // 2, chosen, np.where(lane < 3 * LANES // 4, usual, words[1])) & mask


def edges_of(type_: str) -> list[int]:
    """The bits of values at which something changes."""
    bits = width(type_)
    if type_ in FLOATS:
        exponent, fraction = FLOATS[type_]
        infinity = (2**exponent - 1) << fraction
        one = (2 ** (exponent - 1) - 1) << fraction
        positive = [infinity, infinity - 1, infinity | 1 << (fraction - 1), infinity | 5, 1, 2, 3]
        positive += [(1 << fraction) - 1, 1 << fraction, (1 << fraction) + 1, one - 1, one + 1]
        positive += [float_bits(value, type_) for value in _NUMBERS]
        return [value | sign for value in dict.fromkeys(positive) for sign in (0, 1 << (bits - 1))]
    small = [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 32767, 32768, 65535, 65536]
    top = 2 ** (bits - 1)
    large = [top - 1, top, top + 1, 2 * top - 1, 2 * top - 2, 2 * top - 128, 2 * top - 129, 2 * top - 32768]
    patterns = [int.from_bytes(bytes([octet]) * (bits // 8), "little") for octet in (0x55, 0xAA, 0x80, 0x7F, 0x0F)]
    return [value % 2**bits for value in dict.fromkeys([*small, *large, *patterns])]


def float_bits(value: float, type_: str) -> int:
    """A double as the bits of a format, truncated where it does not fit."""
    if type_ == "bf16":
        return float_bits(value, "f32") >> 16
    code = {"f16": "<e", "f32": "<f", "f64": "<d"}[type_]
    try:
        return int.from_bytes(struct.pack(code, value), "little")
    except OverflowError:
        return int.from_bytes(struct.pack(code, float("inf")), "little")


def ordinary(type_: str, random: Column, shape: Column) -> Column:
    """Numbers of everyday size, half of them midpoints between two values of a narrower format."""
    exponent, fraction = FLOATS[type_]
    bias = 2 ** (exponent - 1) - 1
    mantissa = random & np.uint64(2**fraction - 1)
    kept = np.array([k for k in _KEPT if k < fraction], np.uint64)[
        shape % np.uint64(sum(k < fraction for k in _KEPT))
    ]
    low = np.uint64(1) << (np.uint64(fraction) - kept - np.uint64(1))
    midpoint = (mantissa & ~(low * np.uint64(2) - np.uint64(1))) | low
    mantissa = np.where(shape >> np.uint64(8) & np.uint64(1), midpoint, mantissa)
    scale = np.uint64(bias - 12) + (shape >> np.uint64(16)) % np.uint64(24)
    return mantissa | scale << np.uint64(fraction) | (random >> np.uint64(63)) << np.uint64(exponent + fraction)


def _uniform(type_: str, low: float, high: float, words: Column) -> Column:
    values = low + (high - low) * (words >> np.uint64(11)).astype(np.float64) / 2.0**53
    if type_ == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint64)
    dtype = {"f16": np.float16, "f32": np.float32, "tf32": np.float32, "f64": np.float64}[type_]
    return values.astype(dtype).view(f"u{width(type_) // 8}").astype(np.uint64)


def _codes(type_: str, words: Column) -> Column:
    return (np.arange(LANES, dtype=np.uint64) + words % np.uint64(2)) % np.uint64(256)


_FLAVOURS = {
    "unit": lambda type_, words: _uniform(type_, -2.0, 2.0, words),
    "positive": lambda type_, words: _uniform(type_, 0.0, 2.0, words),
    "circle": lambda type_, words: _uniform(type_, -6.2831, 6.2831, words),
    "small": lambda type_, words: words % np.uint64(5),
    "any": lambda type_, words: words & np.uint64(2 ** width(type_) - 1),
    "octets": lambda type_, words: words & np.uint64(0xBFBFBFBF),  # fp8 codes without the largest exponents
    "codes": _codes,
}


def _words(seed: str, count: int) -> Column:
    return np.frombuffer(hashlib.shake_256(seed.encode()).digest(8 * count), "<u8").astype(np.uint64)


def checksum(columns: Sequence[Column]) -> int:
    """A hash of a form's inputs: a dump of other inputs cannot be compared."""
    return zlib.crc32(b"".join(values.astype("<u8").tobytes() for values in columns))
