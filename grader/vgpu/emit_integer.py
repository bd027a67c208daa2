"""Integer, logic, comparison and selection instructions ("Integer Arithmetic", "Comparison and Selection",
"Logic and Shift" in the PTX ISA manual)."""

from __future__ import annotations

from collections.abc import Callable

from grader.vgpu.emitter import Emitter
from grader.vgpu.mods import Mods, operands
from grader.vgpu.ptx import Imm, Instruction, Not, Operand, Pair, Reg
from grader.vgpu.types import form_of, is_float, width

Handler = Callable[[Emitter, Instruction], None]

INTS = ("u16", "s16", "u32", "s32", "u64", "s64")
BITS = ("b16", "b32", "b64")


def is_integer(ins: Instruction) -> bool:
    """Whether add, mul, min ... work on integers here (emit_float has the rest)."""
    return bool(ins.mods) and ins.mods[-1] in (*INTS, "u16x2", "s16x2")


def agnostic(emitter: Emitter, ins: Instruction, bits: int) -> str:
    """The form for an instruction whose result does not depend on the sign."""
    return next(
        (
            emitter.int_form(operand, bits)
            for operand in ins.operands[1:]
            if isinstance(operand, Reg) and emitter.int_form(operand, bits) != f"u{bits}"
        ),
        f"u{bits}",
    )


def add_sub(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 3)
    mods = Mods(emitter, ins)
    type_ = mods.type(*INTS)
    saturate, carry_out = mods.flag("sat"), mods.flag("cc")
    mods.finish()
    d, a, b = ins.operands
    if carry_out or ins.op in ("addc", "subc"):
        with_carry(emitter, ins, type_, carry_out)
        return
    form = type_ if saturate else agnostic(emitter, ins, width(type_))
    x, y = emitter.use(a, form), emitter.use(b, form)
    if saturate:
        emitter.define(d, form, f"{ins.op}_sat({x}, {y})")
    else:
        emitter.define(d, form, f"{x} {'+' if ins.op == 'add' else '-'} {y}")


def with_carry(emitter: Emitter, ins: Instruction, type_: str, carry_out: bool) -> None:
    """add.cc, addc, sub.cc, subc: extended-precision arithmetic through the carry flag CC.CF (E.carry)."""
    form = f"u{width(type_)}"
    d, a, b = ins.operands
    x, y = emitter.use(a, form), emitter.use(b, form)
    carry_in = "E.carry" if ins.op in ("addc", "subc") else "False"
    result = emitter.temp(f"{ins.op[:3]}_carry({x}, {y}, {carry_in})")
    if carry_out:
        emitter.emit(f"E.carry = {result}[1]")
    emitter.define(d, form, f"{result}[0]")


def mul(emitter: Emitter, ins: Instruction) -> None:
    multiply(emitter, ins, addend=False)


def mad(emitter: Emitter, ins: Instruction) -> None:
    multiply(emitter, ins, addend=True)


def mad_carry(emitter: Emitter, ins: Instruction) -> None:
    """mad.cc and madc: multiply and add in extended precision."""
    operands(emitter, ins, 4)
    mods = Mods(emitter, ins)
    type_ = mods.type("u32", "s32", "u64", "s64")
    part, carry_out = mods.take("lo", "hi"), mods.flag("cc")
    mods.finish()
    a, b = (emitter.use(operand, type_) for operand in ins.operands[1:3])
    form = f"u{width(type_)}"
    product = f"({a} * {b})" if part == "lo" else f"mul_hi({a}, {b})"
    addend = emitter.use(ins.operands[3], form)
    carry_in = "E.carry" if ins.op == "madc" else "False"
    result = emitter.temp(f"add_carry({product}.view({form}), {addend}, {carry_in})")
    if carry_out:
        emitter.emit(f"E.carry = {result}[1]")
    emitter.define(ins.operands[0], form, f"{result}[0]")


def multiply(emitter: Emitter, ins: Instruction, addend: bool) -> None:
    if "cc" in ins.mods:
        mad_carry(emitter, ins)
        return
    operands(emitter, ins, 4 if addend else 3)
    mods = Mods(emitter, ins)
    type_ = mods.type(*INTS)
    part = mods.take("lo", "hi", "wide")
    mods.finish()
    d, a, b = ins.operands[:3]
    bits = width(type_)
    if part == "lo":
        form = agnostic(emitter, ins, bits)
        product = f"{emitter.use(a, form)} * {emitter.use(b, form)}"
    elif part == "wide" and bits < 64:
        form = f"{type_[0]}{2 * bits}"
        product = f"{widened(emitter, a, type_, form)} * {widened(emitter, b, type_, form)}"
    elif part == "hi":
        form = type_
        product = f"mul_hi({emitter.use(a, form)}, {emitter.use(b, form)})"
    else:
        raise emitter.unsupported()
    if addend:
        product = f"{product} + {emitter.use(ins.operands[3], form)}"
    emitter.define(d, form, product)


def widened(emitter: Emitter, operand: Operand, narrow: str, wide: str) -> str:
    if isinstance(operand, Imm):
        bits = operand.value & ((1 << width(narrow)) - 1)
        if narrow[0] == "s" and bits >> (width(narrow) - 1):
            bits -= 1 << width(narrow)
        return emitter.constant(bits, wide)
    return f"{emitter.use(operand, narrow)}.astype({wide})"


def mul24(emitter: Emitter, ins: Instruction) -> None:
    addend = ins.op == "mad24"
    operands(emitter, ins, 4 if addend else 3)
    mods = Mods(emitter, ins)
    type_ = mods.type("u32", "s32")
    part = mods.take("lo", "hi")
    mods.finish()
    d, a, b = ins.operands[:3]
    product = f"mul24_{part or 'lo'}({emitter.use(a, type_)}, {emitter.use(b, type_)})"
    if addend:
        product = f"{product} + {emitter.use(ins.operands[3], type_)}"
    emitter.define(d, type_, product)


def sad(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 4)
    mods = Mods(emitter, ins)
    type_ = mods.type(*INTS)
    mods.finish()
    d, a, b, c = ins.operands
    x, y, z = (emitter.use(operand, type_) for operand in (a, b, c))
    emitter.define(d, type_, f"int_max({x}, {y}) - int_min({x}, {y}) + {z}")


def by_function(name: str, *types: str, count: int = 3) -> Handler:
    """A handler for an instruction that is one function of its sources, all of the instruction's type."""

    def handler(emitter: Emitter, ins: Instruction) -> None:
        operands(emitter, ins, count)
        mods = Mods(emitter, ins)
        form = form_of(mods.type(*types))
        mods.finish()
        sources = ", ".join(emitter.use(operand, form) for operand in ins.operands[1:])
        emitter.define(ins.operands[0], form, f"{name}({sources})")

    return handler


def counting(name: str) -> Handler:
    """popc, clz: a 32-bit result whatever the source."""

    def handler(emitter: Emitter, ins: Instruction) -> None:
        operands(emitter, ins, 2)
        mods = Mods(emitter, ins)
        form = form_of(mods.type("b32", "b64"))
        mods.finish()
        emitter.define(ins.operands[0], "u32", f"{name}({emitter.use(ins.operands[1], form)})")

    return handler


def bfind(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 2)
    mods = Mods(emitter, ins)
    type_ = mods.type("u32", "u64", "s32", "s64")
    amount = mods.flag("shiftamt")
    mods.finish()
    emitter.define(ins.operands[0], "u32", f"bfind({emitter.use(ins.operands[1], type_)}, {amount})")


def bit_field(emitter: Emitter, ins: Instruction) -> None:
    """bfe and bfi: position and length are 32-bit operands."""
    insert = ins.op == "bfi"
    operands(emitter, ins, 5 if insert else 4)
    mods = Mods(emitter, ins)
    form = form_of(mods.type("b32", "b64") if insert else mods.type("u32", "u64", "s32", "s64"))
    mods.finish()
    values = [emitter.use(operand, form) for operand in ins.operands[1:-2]]
    counts = [emitter.use(operand, "u32") for operand in ins.operands[-2:]]
    emitter.define(ins.operands[0], form, f"{ins.op}({', '.join(values + counts)})")


def mask_of_bits(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 3)
    mods = Mods(emitter, ins)
    mods.type("b32")
    clamp = mods.take("clamp", "wrap")
    mods.finish()
    a, b = (emitter.use(operand, "u32") for operand in ins.operands[1:])
    emitter.define(ins.operands[0], "u32", f"bmsk({a}, {b}, {clamp == 'clamp'})")


def logic(emitter: Emitter, ins: Instruction) -> None:
    mods = Mods(emitter, ins)
    type_ = mods.type(*BITS, "pred")
    mods.finish()
    form = "pred" if type_ == "pred" else agnostic(emitter, ins, width(type_))
    sources = [emitter.use(operand, form) for operand in ins.operands[1:]]
    if ins.op == "not":
        operands(emitter, ins, 2)
        emitter.define(ins.operands[0], form, f"~{sources[0]}")
    else:
        operands(emitter, ins, 3)
        symbol = {"and": "&", "or": "|", "xor": "^"}[ins.op]
        emitter.define(ins.operands[0], form, f"{sources[0]} {symbol} {sources[1]}")


def cnot(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 2)
    mods = Mods(emitter, ins)
    form = form_of(mods.type(*BITS))
    mods.finish()
    emitter.define(ins.operands[0], form, f"({emitter.use(ins.operands[1], form)} == 0).astype({form})")


def shift(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 3)
    mods = Mods(emitter, ins)
    type_ = mods.type(*BITS, *(INTS if ins.op == "shr" else ()))
    mods.finish()
    d, a, b = ins.operands
    bits = width(type_)
    form = agnostic(emitter, ins, bits) if ins.op == "shl" else form_of(type_)
    x = emitter.use(a, form)
    symbol = "<<" if ins.op == "shl" else ">>"
    if isinstance(b, Imm) and 0 <= b.value < bits:
        emitter.define(d, form, f"{x} {symbol} {emitter.constant(b.value, form)}")
    else:
        emitter.define(d, form, f"{ins.op}({x}, {emitter.use(b, 'u32')})")


def funnel_shift(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 4)
    mods = Mods(emitter, ins)
    mods.type("b32")
    side, mode = mods.take("l", "r"), mods.take("clamp", "wrap")
    mods.finish()
    if not side or not mode:
        raise emitter.unsupported()
    a, b, c = (emitter.use(operand, "u32") for operand in ins.operands[1:])
    emitter.define(ins.operands[0], "u32", f"funnel_{side}({a}, {b}, {c}, {mode == 'clamp'})")


def lop3(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 5)
    mods = Mods(emitter, ins)
    mods.type("b32")
    mods.finish()
    table = ins.operands[4]
    if not isinstance(table, Imm):
        raise emitter.unsupported("with a table that is no constant")
    a, b, c = (emitter.use(operand, "u32") for operand in ins.operands[1:4])
    emitter.define(ins.operands[0], "u32", f"lop3({a}, {b}, {c}, {table.value & 255})")


def prmt(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 4)
    mods = Mods(emitter, ins)
    mods.type("b32")
    mode = mods.take("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
    mods.finish()
    if mode:
        raise emitter.unsupported()
    a, b, c = (emitter.use(operand, "u32") for operand in ins.operands[1:])
    emitter.define(ins.operands[0], "u32", f"prmt({a}, {b}, {c})")


def dot_product(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 4)
    mods = Mods(emitter, ins)
    high = mods.flag("hi")
    low = mods.flag("lo")
    second, first = mods.type("u32", "s32"), mods.type("u32", "s32")
    mods.finish()
    if ins.op == "dp2a" and high == low:
        raise emitter.unsupported()
    d, a, b, c = ins.operands
    form = "s32" if "s" in first + second else "u32"
    x, y, z = emitter.use(a, first), emitter.use(b, second), emitter.use(c, form)
    extra = f", {2 * high}" if ins.op == "dp2a" else ""
    emitter.define(d, form, f"{ins.op}({x}, {y}, {z}{extra})")


_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
            "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}  # fmt: skip
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
        inverse = combined(emitter, mods, ins, f"(~{raw})", 3) if len(ins.operands) == 3 else _second(emitter, ins, raw)
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
        ins.operands[0], out, f"select({predicate}, {emitter.constant(true, out)}, {emitter.constant(0, out)})",
        fresh=False,
    )  # fmt: skip


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


def unary(emitter: Emitter, ins: Instruction) -> None:
    """abs and neg of signed integers."""
    operands(emitter, ins, 2)
    mods = Mods(emitter, ins)
    form = mods.type("s16", "s32", "s64")
    mods.finish()
    value = emitter.use(ins.operands[1], form)
    emitter.define(ins.operands[0], form, f"-{value}" if ins.op == "neg" else f"abs({value})")


def min_max(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 3)
    mods = Mods(emitter, ins)
    form = mods.type(*INTS)
    mods.finish()
    a, b = (emitter.use(operand, form) for operand in ins.operands[1:])
    emitter.define(ins.operands[0], form, f"int_{ins.op}({a}, {b})")


HANDLERS: dict[str, Handler] = {
    "addc": add_sub, "subc": add_sub, "madc": mad_carry, "mul24": mul24, "mad24": mul24, "sad": sad,
    "rem": by_function("int_rem", *INTS), "popc": counting("popc"), "clz": counting("clz"), "bfind": bfind,
    "brev": by_function("brev", "b32", "b64", count=2), "bfe": bit_field, "bfi": bit_field, "bmsk": mask_of_bits,
    "and": logic, "or": logic, "xor": logic, "not": logic, "cnot": cnot, "shl": shift, "shr": shift,
    "shf": funnel_shift, "lop3": lop3, "prmt": prmt, "dp4a": dot_product, "dp2a": dot_product,
    "setp": setp, "set": set_, "selp": selp, "slct": slct,
}  # fmt: skip
INTEGER_ARITHMETIC: dict[str, Handler] = {
    "add": add_sub, "sub": add_sub, "mul": mul, "mad": mad, "div": by_function("int_div", *INTS),
    "min": min_max, "max": min_max, "abs": unary, "neg": unary,
}  # fmt: skip
