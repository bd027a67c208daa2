"""Comparisons and selections ("Comparison and Selection Instructions" in the PTX ISA manual)."""

from __future__ import annotations

from grader.vgpu.emitter import Emitter
from grader.vgpu.handlers import BITS, INTS, Handler, agnostic
from grader.vgpu.mods import Mods, operands
from grader.vgpu.ptx import Instruction, Not, Operand, Pair, Reg
from grader.vgpu.types import form_of, is_float, width

_COMPARE = {
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "lo": "<",
    "ls": "<=",
    "hi": ">",
    "hs": ">=",
}
_UNORDERED = {"equ": "==", "neu": "!=", "ltu": "<", "leu": "<=", "gtu": ">", "geu": ">="}


def comparison(emitter: Emitter, mods: Mods, type_: str, a: str, b: str) -> str:
    """The predicate expression of setp and set, for values held in the form of `type_`."""
    compare = mods.take(*_COMPARE, *_UNORDERED, "num", "nan")
    if compare in ("num", "nan"):
        unordered = f"(({a} != {a}) | ({b} != {b}))"
        return unordered if compare == "nan" else f"~{unordered}"
    if compare in _UNORDERED:
        if compare == "neu":
            return f"({a} != {b})"
        return f"(({a} {_UNORDERED[compare]} {b}) | ({a} != {a}) | ({b} != {b}))"
    if not compare:
        raise emitter.unsupported()
    plain = f"({a} {_COMPARE[compare]} {b})"
    if compare == "ne" and is_float(form_of(type_)):
        return f"({plain} & ({a} == {a}) & ({b} == {b}))"
    return plain


def combined(emitter: Emitter, mods: Mods, ins: Instruction, predicate: str, index: int) -> str:
    """Apply setp's optional boolean operator with its predicate source."""
    operator = mods.take("and", "or", "xor")
    if not operator:
        operands(emitter, ins, index)
        return predicate
    operands(emitter, ins, index + 1)
    source = ins.operands[index]
    other = f"(~{emitter.use(source.reg, 'pred')})" if isinstance(source, Not) else emitter.use(source, "pred")
    symbol = {"and": "&", "or": "|", "xor": "^"}[operator]
    return f"({predicate} {symbol} {other})"


def setp(emitter: Emitter, ins: Instruction) -> None:
    mods = Mods(emitter, ins)
    type_ = mods.type(*BITS, *INTS, "f16", "f32", "f64", "bf16", "f16x2", "bf16x2")
    flush = mods.flag("ftz")
    if type_ in ("f16x2", "bf16x2"):
        raise emitter.unsupported()
    equality = bool({"eq", "ne"} & set(ins.mods)) and not is_float(form_of(type_)) and type_ != "bf16"
    form = agnostic(emitter, ins, width(form_of(type_))) if equality else form_of(type_)
    a, b = (comparable(emitter, operand, type_, form, flush) for operand in ins.operands[1:3])
    raw = emitter.temp(comparison(emitter, mods, type_ if type_ != "bf16" else "f32", a, b))
    result = ins.operands[0]
    if isinstance(result, Pair):
        inverse = (
            combined(emitter, mods, ins, f"(~{raw})", 3) if len(ins.operands) == 3 else _second(emitter, ins, raw)
        )
        first = combined(emitter, mods, ins, raw, 3)
        mods.finish()
        emitter.define(result.first, "pred", first)
        emitter.define(result.second, "pred", inverse)
        return
    predicate = combined(emitter, mods, ins, raw, 3)
    mods.finish()
    emitter.define(result, "pred", predicate)


def _second(emitter: Emitter, ins: Instruction, raw: str) -> str:
    return combined(emitter, Mods(emitter, ins), ins, f"(~{raw})", 3)


def comparable(emitter: Emitter, operand: Operand, type_: str, form: str, flush: bool) -> str:
    value = emitter.use(operand, form)
    if type_ == "bf16":
        return emitter.temp(f"bf16_decode({value})")
    return emitter.temp(f"ftz({value})") if flush and form == "f32" else value


def set_(emitter: Emitter, ins: Instruction) -> None:
    mods = Mods(emitter, ins)
    type_ = mods.type(*BITS, *INTS, "f16", "f32", "f64", "bf16")
    result = mods.type("u32", "s32", "f32", "u16", "s16", "f16", "bf16")
    flush = mods.flag("ftz")
    form = form_of(type_)
    a, b = (comparable(emitter, operand, type_, form, flush) for operand in ins.operands[1:3])
    raw = comparison(emitter, mods, type_ if type_ != "bf16" else "f32", a, b)
    predicate = combined(emitter, mods, ins, raw, 3)
    mods.finish()
    true = {"f32": 0x3F800000, "f16": 0x3C00, "bf16": 0x3F80}.get(result, -1)
    out = form_of(result)
    emitter.define(
        ins.operands[0],
        out,
        f"select({predicate}, {emitter.constant(true, out)}, {emitter.constant(0, out)})",
        fresh=False,
    )


def selp(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 4)
    mods = Mods(emitter, ins)
    type_ = mods.type(*BITS, *INTS, "f32", "f64", "f16", "bf16")
    mods.finish()
    d, a, b, p = ins.operands
    form = form_of(type_) if is_float(type_) else agnostic(emitter, ins, width(form_of(type_)))
    if type_[0] == "b" and isinstance(a, Reg) and isinstance(b, Reg):
        form = _shared_form(emitter, a, b, form)
    predicate = emitter.use(p, "pred")
    emitter.define(d, form, f"select({predicate}, {emitter.use(a, form)}, {emitter.use(b, form)})", fresh=False)


def _shared_form(emitter: Emitter, a: Reg, b: Reg, default: str) -> str:
    try:
        common = set(emitter.value_of(a.name).forms) & set(emitter.value_of(b.name).forms)
    except KeyError:
        return default
    same = sorted(form for form in common if width(form) == width(default))
    return same[0] if same else default


def slct(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 4)
    mods = Mods(emitter, ins)
    test = mods.type("s32", "f32")
    type_ = mods.type(*BITS, *INTS, "f32", "f64")
    mods.flag("ftz")
    mods.finish()
    form = form_of(type_)
    d, a, b, c = ins.operands
    x, y, z = emitter.use(a, form), emitter.use(b, form), emitter.use(c, test)
    emitter.define(d, form, f"select({z} >= 0, {x}, {y})", fresh=False)


HANDLERS: dict[str, Handler] = {"setp": setp, "set": set_, "selp": selp, "slct": slct}
