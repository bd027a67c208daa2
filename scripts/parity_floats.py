"""The parity forms of floating-point numbers: exact ones, halves and pairs of halves, approximate functions."""

from __future__ import annotations

from collections.abc import Iterator

from parity_forms import ORDERED, Form, form

FLOAT_RELATIONS = (*ORDERED, "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")


def floats() -> Iterator[Form]:
    for t in ("f32", "f64"):
        flushes = ("", ".ftz") if t == "f32" else ("",)
        for flush in flushes:
            for r in ("rn", "rz", "rm", "rp"):
                yield from rounded(t, r, flush)
            yield from unrounded(t, flush)
        yield form(f"copysign.{t}", f"{t} {t}", t)
        for kind in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
            yield form(f"testp.{kind}.{t}", t, "pred")
    code = "setp.ne.u32 %p, %a2, 0; setp.lt.and.f32 %q, %a0, %a1, %p; setp.ge.xor.f32 %r, %a0, %a1, !%p;"
    code += "selp.b32 %d0, 1, 0, %q; selp.b32 %d1, 1, 0, %r;"
    yield Form("setp.lt.and.f32", code, ("f32", "f32", "u32:small"), ("u32", "u32"))


def rounded(t: str, r: str, flush: str) -> Iterator[Form]:
    for op, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("div", 2), ("sqrt", 1), ("rcp", 1)):
        yield form(f"{op}.{r}{flush}.{t}", " ".join([t] * count), t)
        if t == "f32" and op in ("add", "sub", "mul", "fma"):
            yield form(f"{op}.{r}{flush}.sat.f32", " ".join([t] * count), t)


def unrounded(t: str, flush: str) -> Iterator[Form]:
    for op in ("min", "max"):
        for suffix in ("", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs") if t == "f32" else ("",):
            yield form(f"{op}{flush}{suffix}.{t}", f"{t} {t}", t)
    yield form(f"neg{flush}.{t}", t, t)
    yield form(f"abs{flush}.{t}", t, t)
    for relation in FLOAT_RELATIONS:
        yield form(f"setp.{relation}{flush}.{t}", f"{t} {t}", "pred")
    yield form(f"set.ltu{flush}.f32.{t}", f"{t} {t}", "f32")
    yield form(f"set.ne{flush}.s32.{t}", f"{t} {t}", "s32")


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
    for t in ("f16", "f16x2", "bf16", "bf16x2"):
        for flush in ("", ".ftz") if t[0] == "f" else ("",):
            yield from half_arithmetic(t, flush)
            for relation in FLOAT_RELATIONS:
                yield half_relation(t, relation, flush)
        for relation in ("lt", "neu", "nan"):
            yield form(f"set.{relation}.{t}.{t}", f"{t} {t}", t)
            yield form(f"set.{relation}.u32.{t}", f"{t} {t}", "u32")


def half_arithmetic(t: str, flush: str) -> Iterator[Form]:
    saturating = ("", ".sat") if t[0] == "f" else ("",)
    for finish in saturating:
        for op in ("add", "sub", "mul"):
            yield form(f"{op}.rn{flush}{finish}.{t}", f"{t} {t}", t)
    for finish in (*saturating, ".relu"):
        yield form(f"fma.rn{flush}{finish}.{t}", f"{t} {t} {t}", t)
    for op in ("min", "max"):
        yield form(f"{op}{flush}.{t}", f"{t} {t}", t)
        yield form(f"{op}{flush}.NaN.{t}", f"{t} {t}", t)
    yield form(f"neg{flush}.{t}", t, t)
    yield form(f"abs{flush}.{t}", t, t)


def half_relation(t: str, relation: str, flush: str) -> Form:
    name = f"setp.{relation}{flush}.{t}"
    if not t.endswith("x2"):
        return form(name, f"{t} {t}", "pred")
    code = f"{name} %q|%r, %a0, %a1; selp.b32 %d0, 1, 0, %q; selp.b32 %d1, 1, 0, %r;"
    return Form(name, code, (t, t), ("u32", "u32"))
