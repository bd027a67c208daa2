"""The instruction forms whose results are compared with hardware: arithmetic, logic, comparisons, conversions.

Their order, names and kinds decide the inputs (see parity_values.py); new forms may be added anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from parity_values import Column, width


@dataclass(frozen=True)
class Form:
    """PTX statements that read %a0, %a1 ... (of the kinds `inputs`) and write %d0 ... (compared as `outputs`).

    `rule` says how close results must be (parity_rules.py); lanes for which `valid` is false are not compared,
    because the ISA leaves their result open.
    """

    name: str
    code: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    rule: str = "exact"
    valid: Callable[[list[Column]], Column] | None = None


def form(name: str, inputs: str, output: str, rule: str = "exact", valid=None, operands: str = "") -> Form:  # type: ignore[no-untyped-def]
    """One instruction; a predicate result is stored as 0 or 1."""
    kinds = tuple(inputs.split())
    sources = ", ".join([*(f"%a{i}" for i in range(len(kinds))), *([operands] if operands else [])])
    if output == "pred":
        return Form(name, f"{name} %q, {sources}; selp.b32 %d0, 1, 0, %q;", kinds, ("u32",), rule, valid)
    return Form(name, f"{name} %d0, {sources};", kinds, (output,), rule, valid)


INTS = ("u16", "s16", "u32", "s32", "u64", "s64")
ORDERED = ("eq", "ne", "lt", "le", "gt", "ge")
FLOAT_RELATIONS = (*ORDERED, "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")


def nonzero(columns: list[Column]) -> Column:
    return columns[1] != 0  # type: ignore[return-value]


def integers() -> Iterator[Form]:
    for t in INTS:
        for op in ("add", "sub", "mul.lo", "mul.hi", "min", "max"):
            yield form(f"{op}.{t}", f"{t} {t}", t)
        for op in ("div", "rem"):
            yield form(f"{op}.{t}", f"{t} {t}", t, valid=nonzero)
        yield form(f"mad.lo.{t}", f"{t} {t} {t}", t)
        yield form(f"sad.{t}", f"{t} {t} {t}", t)
        yield form(f"shr.{t}", f"{t} u32", t)
        if width(t) < 64:
            wide = f"{t[0]}{2 * width(t)}"
            yield form(f"mul.wide.{t}", f"{t} {t}", wide)
            yield form(f"mad.wide.{t}", f"{t} {t} {wide}", wide)
            yield form(f"mad.hi.{t}", f"{t} {t} {t}", t)
        if t[0] == "s":
            yield form(f"abs.{t}", t, t)
            yield form(f"neg.{t}", t, t)
        relations = ORDERED if t[0] == "s" else (*ORDERED, "lo", "ls", "hi", "hs")
        for relation in relations:
            yield form(f"setp.{relation}.{t}", f"{t} {t}", "pred")
        yield form(f"set.lt.u32.{t}", f"{t} {t}", "u32")
        yield form(f"set.ge.f32.{t}", f"{t} {t}", "f32")
    for op in ("add.sat.s32", "sub.sat.s32"):
        yield form(op, "s32 s32", "s32")
    for t in ("u32", "s32"):
        for part in ("lo", "hi"):
            yield form(f"mul24.{part}.{t}", f"{t} {t}", t)
            yield form(f"mad24.{part}.{t}", f"{t} {t} {t}", t)
        for other in ("u32", "s32"):
            yield form(f"dp4a.{t}.{other}", f"{t} {other} {t}", t)
            yield form(f"dp2a.lo.{t}.{other}", f"{t} {other} {t}", t)
            yield form(f"dp2a.hi.{t}.{other}", f"{t} {other} {t}", t)
        for lanes in (2, 4):
            yield form(f"vabsdiff{lanes}.u32.{t}.{t}", f"{t} {t} u32", "u32")
            yield form(f"vabsdiff{lanes}.u32.{t}.{t}.add", f"{t} {t} u32", "u32")
    for bits in (32, 64):
        u = f"u{bits}"
        code = f"add.cc.{u} %d0, %a0, %a1; addc.cc.{u} %d1, %a1, %a2; addc.{u} %d2, 0, 0;"
        yield Form(f"add.cc.{u}", code, (u, u, u), (u, u, u))
        code = f"sub.cc.{u} %d0, %a0, %a1; subc.cc.{u} %d1, %a1, %a2; subc.{u} %d2, 0, 0;"
        yield Form(f"sub.cc.{u}", code, (u, u, u), (u, u, u))
        code = f"mad.lo.cc.{u} %d0, %a0, %a1, %a2; madc.hi.cc.{u} %d1, %a0, %a1, %a2; addc.{u} %d2, 0, 0;"
        yield Form(f"mad.lo.cc.{u}", code, (u, u, u), (u, u, u))


def bits() -> Iterator[Form]:
    for n in (16, 32, 64):
        b = f"b{n}"
        for op in ("and", "or", "xor"):
            yield form(f"{op}.{b}", f"{b} {b}", b)
        yield form(f"not.{b}", b, b)
        yield form(f"cnot.{b}", b, b)
        yield form(f"shl.{b}", f"{b} u32", b)
        yield form(f"shr.{b}", f"{b} u32", b)
        code = f"setp.ne.u32 %p, %a2, 0; selp.{b} %d0, %a0, %a1, %p;"
        yield Form(f"selp.{b}", code, (b, b, "u32:small"), (b,))
        yield form(f"slct.{b}.s32", f"{b} {b} s32", b)
        yield form(f"slct.{b}.f32", f"{b} {b} f32", b)
        if n > 16:
            yield form(f"popc.{b}", b, "u32")
            yield form(f"clz.{b}", b, "u32")
            yield form(f"brev.{b}", b, b)
            yield form(f"bfi.{b}", f"{b} {b} u32 u32", b)
            yield from (form(f"bfe.{s}{n}", f"{s}{n} u32 u32", f"{s}{n}") for s in "us")
            yield from (form(f"bfind.{s}{n}", f"{s}{n}", "u32") for s in "us")
            yield from (form(f"bfind.shiftamt.{s}{n}", f"{s}{n}", "u32") for s in "us")
    for side in "lr":
        for mode in ("clamp", "wrap"):
            yield form(f"shf.{side}.{mode}.b32", "b32 b32 u32", "b32")
    for table in (0xE8, 0x96, 0x1B, 0xEA, 0x40):
        yield Form(f"lop3.b32.{table:#x}", f"lop3.b32 %d0, %a0, %a1, %a2, {table};", ("b32",) * 3, ("b32",))
    yield form("prmt.b32", "b32 b32 b32", "b32")
    for mode in ("clamp", "wrap"):
        yield form(f"bmsk.{mode}.b32", "u32 u32", "b32")
    code = "and.b32 %x0, %a1, 31; rem.s32 %x1, %a2, 9; fns.b32 %d0, %a0, %x0, %x1;"
    yield Form("fns.b32", code, ("b32", "u32", "s32"), ("u32",))
    code = "mov.b64 %y0, {%a0, %a1}; mov.b64 {%d1, %d0}, %y0;"
    yield Form("mov.b64", code, ("b32", "b32"), ("b32", "b32"))


def floats() -> Iterator[Form]:
    for t in ("f32", "f64"):
        for r in ("rn", "rz", "rm", "rp"):
            for flush in ("", ".ftz") if t == "f32" else ("",):
                for op, count in (("add", 2), ("sub", 2), ("mul", 2), ("div", 2), ("fma", 3), ("sqrt", 1), ("rcp", 1)):
                    yield form(f"{op}.{r}{flush}.{t}", " ".join([t] * count), t)
                if t == "f32":
                    for op, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
                        yield form(f"{op}.{r}{flush}.sat.f32", " ".join([t] * count), t)
        for flush in ("", ".ftz") if t == "f32" else ("",):
            for op in ("min", "max"):
                yield form(f"{op}{flush}.{t}", f"{t} {t}", t)
                if t == "f32":
                    yield form(f"{op}{flush}.NaN.f32", "f32 f32", t)
                    yield form(f"{op}{flush}.xorsign.abs.f32", "f32 f32", t)
                    yield form(f"{op}{flush}.NaN.xorsign.abs.f32", "f32 f32", t)
            yield form(f"neg{flush}.{t}", t, t)
            yield form(f"abs{flush}.{t}", t, t)
            for relation in FLOAT_RELATIONS:
                yield form(f"setp.{relation}{flush}.{t}", f"{t} {t}", "pred")
            yield form(f"set.ltu{flush}.f32.{t}", f"{t} {t}", "f32")
            yield form(f"set.ne{flush}.s32.{t}", f"{t} {t}", "s32")
        yield form(f"copysign.{t}", f"{t} {t}", t)
        for kind in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
            yield form(f"testp.{kind}.{t}", t, "pred")
    code = "setp.ne.u32 %p, %a2, 0; setp.lt.and.f32 %q, %a0, %a1, %p; setp.ge.xor.f32 %r, %a0, %a1, !%p;"
    code += "selp.b32 %d0, 1, 0, %q; selp.b32 %d1, 1, 0, %r;"
    yield Form("setp.lt.and.f32", code, ("f32", "f32", "u32:small"), ("u32", "u32"))


def approximate() -> Iterator[Form]:
    """Rules are the errors that the ISA manual states."""
    for flush in ("", ".ftz"):
        yield form(f"ex2.approx{flush}.f32", "f32", "f32", "rel 22")
        yield form(f"lg2.approx{flush}.f32", "f32", "f32", "either 22")
        yield form(f"sin.approx{flush}.f32", "f32:circle", "f32", "abs 20.5")
        yield form(f"cos.approx{flush}.f32", "f32:circle", "f32", "abs 20.5")
        yield form(f"rcp.approx{flush}.f32", "f32", "f32", "rel 23")
        yield form(f"sqrt.approx{flush}.f32", "f32", "f32", "rel 22")
        yield form(f"rsqrt.approx{flush}.f32", "f32", "f32", "rel 22")
        yield form(f"div.full{flush}.f32", "f32 f32", "f32", "rel 22")
        yield form(f"div.approx{flush}.f32", "f32 f32:positive", "f32", "rel 22")
    yield form("tanh.approx.f32", "f32", "f32", "rel 10.9")
    for op in ("rcp", "rsqrt"):
        yield form(f"{op}.approx.ftz.f64", "f64", "f64", "rel 18")
    yield form("rsqrt.approx.f64", "f64", "f64", "rel 18")
    for pair in ("", "x2"):
        yield form(f"ex2.approx.f16{pair}", f"f16{pair}", f"f16{pair}", "rel 9.9")
        yield form(f"ex2.approx.ftz.bf16{pair}", f"bf16{pair}", f"bf16{pair}", "rel 7")
        yield form(f"tanh.approx.f16{pair}", f"f16{pair}", f"f16{pair}", "abs 10.9")
        yield form(f"tanh.approx.bf16{pair}", f"bf16{pair}", f"bf16{pair}", "rel 7")


def halves() -> Iterator[Form]:
    for base in ("f16", "bf16"):
        for t in (base, f"{base}x2"):
            flushes = ("", ".ftz") if base == "f16" else ("",)
            for flush in flushes:
                for op in ("add", "sub", "mul"):
                    yield form(f"{op}.rn{flush}.{t}", f"{t} {t}", t)
                    if base == "f16":
                        yield form(f"{op}.rn{flush}.sat.{t}", f"{t} {t}", t)
                yield form(f"fma.rn{flush}.{t}", f"{t} {t} {t}", t)
                yield form(f"fma.rn{flush}.relu.{t}", f"{t} {t} {t}", t)
                if base == "f16":
                    yield form(f"fma.rn{flush}.sat.{t}", f"{t} {t} {t}", t)
                for op in ("min", "max"):
                    yield form(f"{op}{flush}.{t}", f"{t} {t}", t)
                    yield form(f"{op}{flush}.NaN.{t}", f"{t} {t}", t)
                yield form(f"neg{flush}.{t}", t, t)
                yield form(f"abs{flush}.{t}", t, t)
                for relation in FLOAT_RELATIONS:
                    if t == base:
                        yield form(f"setp.{relation}{flush}.{t}", f"{t} {t}", "pred")
                        continue
                    code = f"setp.{relation}{flush}.{t} %q|%r, %a0, %a1; selp.b32 %d0, 1, 0, %q; selp.b32 %d1, 1, 0, %r;"
                    yield Form(f"setp.{relation}{flush}.{t}", code, (t, t), ("u32", "u32"))
            for relation in ("lt", "neu", "nan"):
                yield form(f"set.{relation}.{t}.{t}", f"{t} {t}", t)
                yield form(f"set.{relation}.u32.{t}", f"{t} {t}", "u32")


WIDE_INTS = ("u8", "s8", *INTS)


def conversions() -> Iterator[Form]:
    for source in WIDE_INTS:
        held = source if width(source) > 8 else f"{source[0]}16"
        for target in WIDE_INTS:
            out = target if width(target) > 8 else f"{target[0]}32"
            for saturate in ("", ".sat"):
                yield form(f"cvt{saturate}.{target}.{source}", held, out)
        for target in ("f16", "bf16", "f32", "f64"):
            for r in ("rn", "rz", "rm", "rp"):
                if target != "bf16" or r == "rn":
                    yield form(f"cvt.{r}.{target}.{source}", held, target)
    for source in ("f16", "bf16", "f32", "f64"):
        for target in WIDE_INTS:
            out = target if width(target) > 8 else f"{target[0]}32"
            for r in ("rni", "rzi", "rmi", "rpi"):
                for flush in ("", ".ftz") if source == "f32" and r in ("rzi", "rpi") else ("",):
                    yield form(f"cvt.{r}{flush}.{target}.{source}", source, out)
    for t in ("f16", "f32", "f64"):
        for r in ("rni", "rzi", "rmi", "rpi"):
            yield form(f"cvt.{r}.{t}.{t}", t, t)
    for name, source, target in (("f32.f16", "f16", "f32"), ("f32.bf16", "bf16", "f32"), ("f64.f32", "f32", "f64")):
        yield form(f"cvt.{name}", source, target)
    yield form("cvt.f64.f16", "f16", "f64")
    for flush in ("", ".ftz"):
        yield form(f"cvt{flush}.sat.f32.f32", "f32", "f32")
        for r in ("rn", "rz", "rm", "rp"):
            yield form(f"cvt.{r}{flush}.f16.f32", "f32", "f16")
            yield form(f"cvt.{r}{flush}.f32.f64", "f64", "f32")
    for r in ("rn", "rz", "rm", "rp"):
        yield form(f"cvt.{r}.f16.f64", "f64", "f16")
    for target in ("f16", "bf16"):
        for r in ("rn", "rz"):
            for relu in ("", ".relu"):
                if target == "bf16" or relu:
                    yield form(f"cvt.{r}{relu}.{target}.f32", "f32", target)
                yield form(f"cvt.{r}{relu}.{target}x2.f32", "f32 f32", f"{target}x2")
    yield form("cvt.rna.tf32.f32", "f32", "f32")
    yield form("cvt.rn.tf32.f32", "f32", "f32")
    yield form("cvt.rz.tf32.f32", "f32", "f32")
    for code in ("e4m3x2", "e5m2x2"):
        yield form(f"cvt.rn.satfinite.{code}.f32", "f32 f32", code)
        yield form(f"cvt.rn.satfinite.{code}.f16x2", "f16x2", code)
        yield form(f"cvt.rn.f16x2.{code}", f"{code}:codes", "f16x2")
    for target in ("s16", "u16"):
        yield form(f"cvt.pack.sat.{target}.s32", "s32 s32", "b32")
    for target in ("s8", "u8", "s4", "u4", "s2", "u2"):
        yield form(f"cvt.pack.sat.{target}.s32.b32", "s32 s32 b32", "b32")
    for type_ in ("u8", "s8", "u16", "s16"):
        code = f"st.global.b32 [%out], %a0; ld.global.{type_} %d0, [%out];"
        yield Form(f"ld.global.{type_}", code, ("b32",), (f"{type_[0]}32",))


def elementwise() -> list[Form]:
    """Every form of one thread."""
    return [*integers(), *bits(), *floats(), *approximate(), *halves(), *conversions()]


def is_nan(type_: str, values: Column) -> Column:
    """Which values of a scalar type are NaN."""
    codes = {"e4m3": (0x7F, 0x7F), "e5m2": (0x7F, 0x7D)}
    if type_ in codes:
        mask, first = codes[type_]
        return (values & np.uint64(mask)) >= np.uint64(first)  # type: ignore[return-value]
    limits = {"f16": (0x7FFF, 0x7C00), "bf16": (0x7FFF, 0x7F80), "f32": (2**31 - 1, 0x7F800000)}
    mask, infinity = limits.get(type_, (2**63 - 1, 0x7FF << 52))
    return (values & np.uint64(mask)) > np.uint64(infinity)  # type: ignore[return-value]
