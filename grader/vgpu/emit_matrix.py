"""Matrix instructions: mma.sync, wmma, ldmatrix ("Warp Level Matrix Instructions" in the PTX ISA manual)."""

from __future__ import annotations

import re

from grader.vgpu.emit_memory import address
from grader.vgpu.emit_warp import rendezvous
from grader.vgpu.emitter import Emitter
from grader.vgpu.handlers import Handler
from grader.vgpu.mods import Mods, operands
from grader.vgpu.ptx import Imm, Instruction, Operand, Vec

_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)$")
_TYPES = ("f16", "bf16", "tf32", "s8", "u8", "s4", "u4", "e4m3", "e5m2", "f32", "s32", "f64")
_MMA_SHAPES = {
    "f16": {(16, 8, 8), (16, 8, 16)},
    "bf16": {(16, 8, 8), (16, 8, 16)},
    "tf32": {(16, 8, 4), (16, 8, 8)},
    "s8": {(8, 8, 16), (16, 8, 16), (16, 8, 32)},
    "u8": {(8, 8, 16), (16, 8, 16), (16, 8, 32)},
    "s4": {(8, 8, 32), (16, 8, 32), (16, 8, 64)},
    "u4": {(8, 8, 32), (16, 8, 32), (16, 8, 64)},
    "e4m3": {(16, 8, 16), (16, 8, 32)},
    "e5m2": {(16, 8, 16), (16, 8, 32)},
    "f64": {(8, 8, 4), (16, 8, 4), (16, 8, 8), (16, 8, 16)},
}
_WMMA_SHAPES = {
    **{type_: {(16, 16, 16), (32, 8, 16), (8, 32, 16)} for type_ in ("f16", "bf16", "s8", "u8")},
    "tf32": {(16, 16, 8)},
    "f64": {(8, 8, 4)},
}
_WORD = {"f64": "u64"}


def _registers(emitter: Emitter, operand: Operand, type_: str) -> str:
    form = _WORD.get(type_, "u32")
    items = operand.items if isinstance(operand, Vec) else (operand,)
    return "[" + ", ".join(emitter.use(item, form) for item in items) + "]"


def _assign(emitter: Emitter, operand: Operand, type_: str, result: str) -> None:
    for index, item in enumerate(operand.items if isinstance(operand, Vec) else (operand,)):
        emitter.define(item, _WORD.get(type_, "u32"), f"{result}[{index}]")


def _shape(emitter: Emitter, ins: Instruction, mods: Mods) -> tuple[int, int, int]:
    name = next((mod for mod in ins.mods if _SHAPE.match(mod)), "")
    found = _SHAPE.match(name)
    if found is None:
        raise emitter.unsupported()
    mods.flag(name)
    return int(found[1]), int(found[2]), int(found[3])


def mma(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 4)
    mods = Mods(emitter, ins)
    shape = _shape(emitter, ins, mods)
    c_type, b_type, a_type, d_type = (mods.type(*_TYPES) for _ in range(4))
    saturate = mods.flag("satfinite")
    layouts = mods.flag("row"), mods.flag("col")
    mods.drop("sync", "aligned", "kind::f8f6f4", "rn")
    mods.finish()
    if shape not in _MMA_SHAPES.get(a_type, set()) or layouts != (True, True):
        raise emitter.unsupported()
    _multiply(emitter, ins, shape, (d_type, a_type, b_type, c_type), opaque=False, saturate=saturate)


def _multiply(
    emitter: Emitter,
    ins: Instruction,
    shape: tuple[int, int, int],
    types: tuple[str, str, str, str],
    opaque: bool,
    saturate: bool,
) -> None:
    d, a, b, c = ins.operands
    sources = ", ".join(_registers(emitter, x, t) for x, t in zip((a, b, c), types[1:], strict=True))
    rendezvous(emitter, Imm(-1))
    call = f"multiply(E, {shape}, {types}, {sources}, {opaque}, {saturate}, sel, {emitter.pc})"
    _assign(emitter, d, types[0], emitter.temp(call))


def wmma(emitter: Emitter, ins: Instruction) -> None:
    mods = Mods(emitter, ins)
    mods.drop("sync", "aligned", "rn")
    action = mods.take("load", "store", "mma")
    shape = _shape(emitter, ins, mods)
    if action == "mma":
        wmma_multiply(emitter, ins, mods, shape)
    else:
        wmma_move(emitter, ins, mods, shape, action)


def wmma_multiply(emitter: Emitter, ins: Instruction, mods: Mods, shape: tuple[int, int, int]) -> None:
    operands(emitter, ins, 4)
    saturate = mods.flag("satfinite")
    while mods.take("row", "col"):  # layouts matter only where fragments are loaded
        pass
    named = [mod for mod in ins.mods if mod in _TYPES]
    mods.drop(*_TYPES)
    mods.finish()
    types = (named[0], "f16", "f16", named[1]) if len(named) == 2 else tuple(named)
    if len(types) != 4 or shape not in _WMMA_SHAPES.get(types[1], set()):
        raise emitter.unsupported()
    _multiply(emitter, ins, shape, (types[0], types[1], types[2], types[3]), opaque=True, saturate=saturate)


def wmma_move(emitter: Emitter, ins: Instruction, mods: Mods, shape: tuple[int, int, int], action: str) -> None:
    """wmma.load.{a,b,c} and wmma.store.d."""
    type_ = mods.type(*_TYPES)
    which = mods.take("a", "b", "c", "d")
    by_row = mods.take("row", "col") == "row"
    space = mods.take("global", "shared", "shared::cta", default="generic").split("::")[0]
    mods.finish()
    if type_ in ("s4", "u4"):
        raise emitter.unsupported()
    m, n, k = shape
    extent = {"a": (m, k), "b": (k, n)}.get(which, (m, n))
    memory, fragment = (ins.operands[0], ins.operands[1]) if action == "store" else (ins.operands[1], ins.operands[0])
    where = address(emitter, memory, space)
    default = Imm(extent[1] if by_row else extent[0])
    stride = emitter.use(ins.operands[2] if len(ins.operands) > 2 else default, "u32")
    count = len(fragment.items) if isinstance(fragment, Vec) else 1
    head = f"E, {space!r}, {where}, {stride}, {extent}, {type_!r}, {by_row}"
    if action == "store":
        values = _registers(emitter, fragment, type_)
        rendezvous(emitter, Imm(-1))
        emitter.emit(f"store_fragment({head}, {values}, sel, {emitter.pc})")
        return
    rendezvous(emitter, Imm(-1))
    _assign(emitter, fragment, type_, emitter.temp(f"load_fragment({head}, {count}, sel, {emitter.pc})"))


def ldmatrix(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 2)
    mods = Mods(emitter, ins)
    mods.type("b16")
    mods.drop("sync", "aligned", "m8n8")
    count = mods.take("x1", "x2", "x4")
    transpose = mods.flag("trans")
    space = mods.take("shared", "shared::cta")
    mods.finish()
    if not count or not space:
        raise emitter.unsupported()
    where = emitter.temp(address(emitter, ins.operands[1], "shared"))
    rendezvous(emitter, Imm(-1))
    call = f"load_rows(E, {where}, {count[1]}, {transpose}, sel, {emitter.pc})"
    _assign(emitter, ins.operands[0], "b16", emitter.temp(call))


def move_matrix(emitter: Emitter, ins: Instruction) -> None:
    """movmatrix: transpose an 8x8 matrix across a warp's registers."""
    operands(emitter, ins, 2)
    mods = Mods(emitter, ins)
    mods.type("b16")
    mods.drop("sync", "aligned", "m8n8")
    transpose = mods.flag("trans")
    mods.finish()
    if not transpose:
        raise emitter.unsupported()
    source = emitter.use(ins.operands[1], "u32")
    rendezvous(emitter, Imm(-1))
    emitter.define(ins.operands[0], "u32", f"transpose_matrix(E, {source}, sel, {emitter.pc})")


HANDLERS: dict[str, Handler] = {"mma": mma, "wmma": wmma, "ldmatrix": ldmatrix, "movmatrix": move_matrix}
