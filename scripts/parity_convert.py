"""The parity forms of conversions between number formats."""

from __future__ import annotations

from collections.abc import Iterator

from parity_forms import INTS, Form, form
from parity_values import width

WIDE_INTS = ("u8", "s8", *INTS)
MODES = ("rn", "rz", "rm", "rp")


def contains(outer: str, inner: str) -> bool:
    """Whether an integer type holds every value of another one, so that there is nothing to saturate."""
    if outer[0] == inner[0]:
        return width(outer) >= width(inner)
    return outer[0] == "s" and width(outer) > width(inner)


def conversions() -> Iterator[Form]:
    for source in WIDE_INTS:
        yield from from_integer(source)
    for source in ("f16", "bf16", "f32", "f64"):
        for target in INTS if source == "bf16" else WIDE_INTS:
            yield from to_integer(source, target)
    yield from between_floats()
    yield from to_halves()
    yield from to_narrow()
    for type_ in ("u8", "s8", "u16", "s16"):
        code = f"st.global.b32 [%out], %a0; ld.global.{type_} %d0, [%out];"
        yield Form(f"ld.global.{type_}", code, ("b32",), (f"{type_[0]}32",))


def from_integer(source: str) -> Iterator[Form]:
    held = source if width(source) > 8 else f"{source[0]}16"
    for target in WIDE_INTS:
        out = target if width(target) > 8 else f"{target[0]}32"
        yield form(f"cvt.{target}.{source}", held, out)
        if not contains(target, source):
            yield form(f"cvt.sat.{target}.{source}", held, out)
    for target in ("f16", "f32", "f64"):
        for r in MODES:
            yield form(f"cvt.{r}.{target}.{source}", held, target)
    if width(source) > 8:
        yield form(f"cvt.rn.bf16.{source}", held, "bf16")


def to_integer(source: str, target: str) -> Iterator[Form]:
    out = target if width(target) > 8 else f"{target[0]}32"
    for r in MODES:
        yield form(f"cvt.{r}i.{target}.{source}", source, out)
        if source == "f32" and r in ("rz", "rp"):
            yield form(f"cvt.{r}i.ftz.{target}.{source}", source, out)


def between_floats() -> Iterator[Form]:
    for t in ("f16", "f32", "f64"):
        for r in MODES:
            yield form(f"cvt.{r}i.{t}.{t}", t, t)
    pairs = (("f32", "f16"), ("f32", "bf16"), ("f64", "f32"), ("f64", "f16"))
    for target, source in pairs:
        yield form(f"cvt.{target}.{source}", source, target)
    for flush in ("", ".ftz"):
        yield form(f"cvt{flush}.sat.f32.f32", "f32", "f32")
        for r in MODES:
            yield form(f"cvt.{r}{flush}.f16.f32", "f32", "f16")
            yield form(f"cvt.{r}{flush}.f32.f64", "f64", "f32")
    for r in MODES:
        yield form(f"cvt.{r}.f16.f64", "f64", "f16")


def to_halves() -> Iterator[Form]:
    for target in ("f16", "bf16"):
        for r in ("rn", "rz"):
            for relu in ("", ".relu"):
                if target == "bf16" or relu:
                    yield form(f"cvt.{r}{relu}.{target}.f32", "f32", target)
                yield form(f"cvt.{r}{relu}.{target}x2.f32", "f32 f32", f"{target}x2")


def to_narrow() -> Iterator[Form]:
    """tf32, the 8-bit formats, and packed integers."""
    for r in ("rna", "rn", "rz"):
        yield form(f"cvt.{r}.tf32.f32", "f32", "f32")
    for code in ("e4m3x2", "e5m2x2"):
        yield form(f"cvt.rn.satfinite.{code}.f32", "f32 f32", code)
        yield form(f"cvt.rn.satfinite.{code}.f16x2", "f16x2", code)
        yield form(f"cvt.rn.f16x2.{code}", f"{code}:codes", "f16x2")
    for target in ("s16", "u16"):
        yield form(f"cvt.pack.sat.{target}.s32", "s32 s32", "b32")
    for target in ("s8", "u8", "s4", "u4", "s2", "u2"):
        yield form(f"cvt.pack.sat.{target}.s32.b32", "s32 s32 b32", "b32")
