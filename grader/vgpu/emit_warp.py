"""Warp-level instructions: shfl, vote, match, redux, activemask, elect."""

from __future__ import annotations

from grader.vgpu.emit_control import warp_point
from grader.vgpu.emitter import Emitter
from grader.vgpu.handlers import Handler
from grader.vgpu.mods import Mods, operands
from grader.vgpu.ptx import Instruction, Not, Operand, Pair
from grader.vgpu.types import form_of


def _predicate(emitter: Emitter, operand: Operand) -> str:
    if isinstance(operand, Not):
        return f"~{emitter.use(operand.reg, 'pred')}"
    return emitter.use(operand, "pred")


def rendezvous(emitter: Emitter, mask: Operand) -> str:
    value = emitter.use(mask, "u32")
    warp_point(emitter, value)
    return value


def shuffle(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 5)
    mods = Mods(emitter, ins)
    mods.type("b32")
    if not mods.flag("sync"):
        raise emitter.unsupported()
    mode = mods.take("up", "down", "bfly", "idx")
    mods.finish()
    target, value, b, c, mask_operand = ins.operands
    source, shift, clamp = (emitter.use(operand, "u32") for operand in (value, b, c))
    mask = rendezvous(emitter, mask_operand)
    result = emitter.temp(f"E.warps.shuffle({mode!r}, {source}, {shift}, {clamp}, {mask}, sel, {emitter.pc})")
    if isinstance(target, Pair):
        emitter.define(target.second, "pred", f"{result}[1]", fresh=False)
        target = target.first
    emitter.define(target, "u32", f"{result}[0]")


def vote(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 3)
    mods = Mods(emitter, ins)
    type_ = mods.type("pred", "b32")
    if not mods.flag("sync"):
        raise emitter.unsupported()
    mode = mods.take("all", "any", "uni", "ballot")
    mods.finish()
    predicate = _predicate(emitter, ins.operands[1])
    mask = rendezvous(emitter, ins.operands[2])
    if type_ == "b32":
        emitter.define(ins.operands[0], "u32", f"E.warps.ballot({predicate}, {mask}, sel, {emitter.pc})")
    else:
        emitter.define(ins.operands[0], "pred", f"E.warps.vote({mode!r}, {predicate}, {mask}, sel, {emitter.pc})")


def match(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 3)
    mods = Mods(emitter, ins)
    form = form_of(mods.type("b32", "b64"))
    mode = mods.take("any", "all")
    mods.flag("sync")
    mods.finish()
    value = emitter.use(ins.operands[1], form)
    mask = rendezvous(emitter, ins.operands[2])
    call = f"E.warps.match_{mode}({value}, {mask}, sel, {emitter.pc})"
    if mode == "any":
        emitter.define(ins.operands[0], "u32", call)
        return
    result = emitter.temp(call)
    target = ins.operands[0]
    if isinstance(target, Pair):
        emitter.define(target.second, "pred", f"{result}[1]")
        target = target.first
    emitter.define(target, "u32", f"{result}[0]")


def reduce(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 3)
    mods = Mods(emitter, ins)
    type_ = mods.type("u32", "s32", "b32")
    op = mods.take("add", "min", "max", "and", "or", "xor")
    mods.flag("sync")
    mods.finish()
    form = form_of(type_)
    value = emitter.use(ins.operands[1], form)
    mask = rendezvous(emitter, ins.operands[2])
    emitter.define(ins.operands[0], form, f"E.warps.reduce({op!r}, {value}, {mask}, sel, {emitter.pc})")


def active_mask(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 1)
    emitter.define(ins.operands[0], "u32", "E.warps.active_mask(sel)")


def elect(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 2)
    mask = rendezvous(emitter, ins.operands[1])
    result = emitter.temp(f"E.warps.elect({mask}, sel)")
    target = ins.operands[0]
    if isinstance(target, Pair):
        emitter.define(target.second, "pred", f"{result}[1]")
        target = target.first
    emitter.define(target, "u32", f"{result}[0]", fresh=False)


HANDLERS: dict[str, Handler] = {
    "shfl": shuffle,
    "vote": vote,
    "match": match,
    "redux": reduce,
    "activemask": active_mask,
    "elect": elect,
}
