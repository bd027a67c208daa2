"""Comparisons and selections ("Comparison and Selection Instructions" in the PTX ISA manual)."""

from __future__ import annotations

from grader.vgpu.emitter import Emitter
from grader.vgpu.handlers import BITS, INTS, Handler, agnostic
from grader.vgpu.mods import Mods, operands
from grader.vgpu.ptx import Instruction, Not, Pair, Reg
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
_RELATIONS = (*_COMPARE, *_UNORDERED, "num", "nan")
_BOOLEAN = {"and": "&", "or": "|", "xor": "^"}
FLOATS = ("f16", "bf16", "f32", "f64")
PACKED = ("f16x2", "bf16x2")


def setp(emitter: Emitter, ins: Instruction) -> None:
    mods = Mods(emitter, ins)
    type_ = mods.type(*BITS, *INTS, *FLOATS, *PACKED)
    flush = mods.flag("ftz")
    relation = mods.take(*_RELATIONS)
    operator = mods.take("and", "or", "xor")
    mods.finish()
    operands(emitter, ins, 4 if operator else 3)
    raw = [emitter.temp(value) for value in predicates(emitter, ins, type_, relation, flush)]
    result = ins.operands[0]
    targets = [result.first, result.second] if isinstance(result, Pair) else [result]
    if len(raw) > len(targets):
        raise emitter.unsupported("with one destination")
    if len(raw) < len(targets):
        raw.append(f"(~{raw[0]})")
    values = [combined(emitter, ins, operator, value) for value in raw]
    for target, value in zip(targets, values, strict=True):
        emitter.define(target, "pred", value)


def combined(emitter: Emitter, ins: Instruction, operator: str, predicate: str) -> str:
    """Apply the optional boolean operator with its predicate source."""
    if not operator:
        return predicate
    source = ins.operands[3]
    other = f"(~{emitter.use(source.reg, 'pred')})" if isinstance(source, Not) else emitter.use(source, "pred")
    return f"({predicate} {_BOOLEAN[operator]} {other})"


def predicates(emitter: Emitter, ins: Instruction, type_: str, relation: str, flush: bool) -> list[str]:
    """The comparison of operands 1 and 2: one expression, or for a packed type those of the low and high halves."""
    sources = ins.operands[1:3]
    if type_ in PACKED:
        a, b = (emitter.temp(f"unpack({emitter.use(operand, 'u32')})") for operand in sources)
        base = type_.removesuffix("x2")
        return [
            comparison(
                emitter,
                relation,
                decoded(emitter, f"{a}[{part}]", base, flush),
                decoded(emitter, f"{b}[{part}]", base, flush),
            )
            for part in (0, 1)
        ]
    if type_ in ("f16", "bf16"):
        a, b = (decoded(emitter, emitter.use(operand, "u16"), type_, flush) for operand in sources)
        return [comparison(emitter, relation, a, b)]
    equality = relation in ("eq", "ne") and not is_float(type_)
    form = agnostic(emitter, ins, width(type_)) if equality else form_of(type_)
    a, b = (emitter.use(operand, form) for operand in sources)
    if flush and form == "f32":
        a, b = emitter.temp(f"ftz({a})"), emitter.temp(f"ftz({b})")
    return [comparison(emitter, relation, a, b, ordered=is_float(form))]


def decoded(emitter: Emitter, bits: str, type_: str, flush: bool) -> str:
    value = emitter.temp(f"{type_}_decode({bits})")
    return emitter.temp(f"flush_f16({value})") if flush and type_ == "f16" else value


def comparison(emitter: Emitter, relation: str, a: str, b: str, ordered: bool = True) -> str:
    """The predicate expression; `ordered` if the values may be NaN."""
    if relation in ("num", "nan"):
        unordered = f"(({a} != {a}) | ({b} != {b}))"
        return unordered if relation == "nan" else f"~{unordered}"
    if relation == "neu":
        return f"({a} != {b})"
    if relation in _UNORDERED:
        return f"(({a} {_UNORDERED[relation]} {b}) | ({a} != {a}) | ({b} != {b}))"
    if not relation:
        raise emitter.unsupported()
    plain = f"({a} {_COMPARE[relation]} {b})"
    return f"({plain} & ({a} == {a}) & ({b} == {b}))" if relation == "ne" and ordered else plain


_TRUE = {"f32": 0x3F800000, "f16": 0x3C00, "bf16": 0x3F80, "f16x2": 0x3C00, "bf16x2": 0x3F80}


def set_(emitter: Emitter, ins: Instruction) -> None:
    mods = Mods(emitter, ins)
    type_ = mods.type(*BITS, *INTS, *FLOATS, *PACKED)
    result = mods.type("u32", "s32", "f32", "u16", "s16", "f16", "bf16", *PACKED)
    flush = mods.flag("ftz")
    relation = mods.take(*_RELATIONS)
    operator = mods.take("and", "or", "xor")
    mods.finish()
    operands(emitter, ins, 4 if operator else 3)
    if (type_ in PACKED) != (result in PACKED) and (type_ not in PACKED or result not in ("u32", "s32")):
        raise emitter.unsupported()
    values = [combined(emitter, ins, operator, v) for v in predicates(emitter, ins, type_, relation, flush)]
    part = "u16" if type_ in PACKED else form_of(result)
    true, false = emitter.constant(_TRUE.get(result, -1), part), emitter.constant(0, part)
    chosen = [f"select({value}, {true}, {false})" for value in values]
    expression = f"pack({chosen[0]}, {chosen[1]})" if type_ in PACKED else chosen[0]
    emitter.define(ins.operands[0], "u32" if type_ in PACKED else part, expression, fresh=False)


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
    if emitter.pc in emitter.context.choices:
        emitter.emit(f"E.shared.choose({emitter.pc}, {predicate}, sel)")
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
