"""Integer arithmetic ("Integer Arithmetic", "Extended-Precision Integer Arithmetic" in the PTX ISA manual)."""

from __future__ import annotations

from grader.vgpu.emitter import Emitter
from grader.vgpu.handlers import INTS, Handler, agnostic, by_function
from grader.vgpu.mods import Mods, operands
from grader.vgpu.ptx import Imm, Instruction, Operand
from grader.vgpu.types import width


def is_integer(ins: Instruction) -> bool:
    """Whether add, mul, min ... work on integers here (emit_float has the rest)."""
    return bool(ins.mods) and ins.mods[-1] in (*INTS, "u16x2", "s16x2")


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


def absolute_differences(emitter: Emitter, ins: Instruction) -> None:
    """vabsdiff2 and vabsdiff4 on all lanes of a word; with .add, their sum plus c."""
    operands(emitter, ins, 4)
    mods = Mods(emitter, ins)
    add = mods.flag("add")
    mods.flag("sat")  # the difference of two bytes or halves fits
    first, second = mods.type("u32", "s32"), mods.type("u32", "s32")
    mods.type("u32", "s32")
    mods.finish()
    if first != second:
        raise emitter.unsupported()
    a, b, c = (emitter.use(operand, "u32") for operand in ins.operands[1:])
    size = 2 if ins.op.endswith("2") else 1
    call = f"lane_differences({a}, {b}, '{first[0]}{8 * size}', {add})"
    emitter.define(ins.operands[0], "u32", f"{call} + {c}" if add else call)


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
    "addc": add_sub,
    "subc": add_sub,
    "madc": mad_carry,
    "mul24": mul24,
    "mad24": mul24,
    "sad": sad,
    "rem": by_function("int_rem", *INTS),
    "dp4a": dot_product,
    "dp2a": dot_product,
    "vabsdiff2": absolute_differences,
    "vabsdiff4": absolute_differences,
}
INTEGER_ARITHMETIC: dict[str, Handler] = {
    "add": add_sub,
    "sub": add_sub,
    "mul": mul,
    "mad": mad,
    "div": by_function("int_div", *INTS),
    "min": min_max,
    "max": min_max,
    "abs": unary,
    "neg": unary,
}
