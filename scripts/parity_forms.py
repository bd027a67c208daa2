"""The instruction forms whose results are compared with hardware: integers and bits.

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


def form(
    name: str,
    inputs: str,
    output: str,
    rule: str = "exact",
    valid: Callable[[list[Column]], Column] | None = None,
) -> Form:
    """One instruction; a predicate result is stored as 0 or 1."""
    kinds = tuple(inputs.split())
    sources = ", ".join(f"%a{i}" for i in range(len(kinds)))
    if output == "pred":
        return Form(name, f"{name} %q, {sources}; selp.b32 %d0, 1, 0, %q;", kinds, ("u32",), rule, valid)
    return Form(name, f"{name} %d0, {sources};", kinds, (output,), rule, valid)


INTS = ("u16", "s16", "u32", "s32", "u64", "s64")
ORDERED = ("eq", "ne", "lt", "le", "gt", "ge")


def nonzero(columns: list[Column]) -> Column:
    return np.asarray(columns[1] != 0)


def integers() -> Iterator[Form]:
    for t in INTS:
        yield from arithmetic(t)
        relations = ORDERED if t[0] == "s" else (*ORDERED, "lo", "ls", "hi", "hs")
        for relation in relations:
            yield form(f"setp.{relation}.{t}", f"{t} {t}", "pred")
        yield form(f"set.lt.u32.{t}", f"{t} {t}", "u32")
        yield form(f"set.ge.f32.{t}", f"{t} {t}", "f32")
    for op in ("add.sat.s32", "sub.sat.s32"):
        yield form(op, "s32 s32", "s32")
    for t in ("u32", "s32"):
        yield from multimedia(t)
    for u in ("u32", "u64"):
        yield from carries(u)


def arithmetic(t: str) -> Iterator[Form]:
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


def multimedia(t: str) -> Iterator[Form]:
    """24-bit products, dot products of bytes, differences of bytes and halves."""
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


def carries(u: str) -> Iterator[Form]:
    """Extended precision: the carry goes on to the next instruction."""
    for op in ("add", "sub"):
        code = f"{op}.cc.{u} %d0, %a0, %a1; {op}c.cc.{u} %d1, %a1, %a2; {op}c.{u} %d2, 0, 0;"
        yield Form(f"{op}.cc.{u}", code, (u, u, u), (u, u, u))
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
