"""Bit instructions: counts, fields, shifts, logic ("Logic and Shift Instructions" in the PTX ISA manual)."""

from __future__ import annotations

from grader.vgpu.emitter import Emitter
from grader.vgpu.handlers import BITS, INTS, Handler, agnostic, by_function
from grader.vgpu.mods import Mods, operands
from grader.vgpu.ptx import Imm, Instruction
from grader.vgpu.types import form_of, width


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


HANDLERS: dict[str, Handler] = {
    "popc": counting("popc"),
    "clz": counting("clz"),
    "bfind": bfind,
    "brev": by_function("brev", "b32", "b64", count=2),
    "bfe": bit_field,
    "bfi": bit_field,
    "bmsk": mask_of_bits,
    "and": logic,
    "or": logic,
    "xor": logic,
    "not": logic,
    "cnot": cnot,
    "shl": shift,
    "shr": shift,
    "shf": funnel_shift,
    "lop3": lop3,
    "prmt": prmt,
}
