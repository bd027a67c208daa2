"""Branches, calls, returns and barriers ("Control Flow", "Parallel Synchronization" in the PTX ISA manual)."""

from __future__ import annotations

from grader.vgpu.emitter import Emitter
from grader.vgpu.handlers import Handler
from grader.vgpu.lowering import (
    BUILTINS,
    COLLECT,
    CONTRIBUTE,
    RETURN_COPY,
    branch_table,
    call_parts,
    call_target,
    target,
)
from grader.vgpu.mods import Mods
from grader.vgpu.ptx import Instruction, Not, Operand, Sym

TERMINATORS = {"bra", "ret", "exit", "trap", "call", "brx"}


def branch(emitter: Emitter, ins: Instruction) -> None:
    mods = Mods(emitter, ins)
    mods.flag("uni")
    mods.finish()
    to = target(emitter.context.program, emitter.context.routine, ins)
    if ins.guard is None:
        emitter.leave(to, f"return {to}")
        return
    predicate = emitter.use(ins.guard.reg, "pred")
    after = emitter.pc + 1
    first, second = (after, to) if ins.guard.negated else (to, after)
    live = emitter.context.live
    for line in emitter.flush(to, extra=live.before(after)):
        emitter.emit(line)
    emitter.emit(f"return E.branch(sel, {predicate}, {first}, {second})")


def indexed_branch(emitter: Emitter, ins: Instruction) -> None:
    """brx.idx: go to the entry of a table that each lane's index names."""
    mods = Mods(emitter, ins)
    mods.flag("uni")
    if not mods.flag("idx"):
        raise emitter.unsupported()
    mods.finish()
    targets = branch_table(emitter.context.program, emitter.context.routine, ins)
    index = emitter.temp(emitter.use(ins.operands[0], "u32"))
    alive = 0
    for pc in targets:
        alive |= emitter.context.live.before(pc)
    for line in emitter.flush(targets[0], extra=alive):
        emitter.emit(line)
    emitter.emit(f"return E.indexed_branch(sel, {index}, {targets}, {emitter.pc})")


def leave(emitter: Emitter, ins: Instruction) -> None:
    """ret and exit. A device function's results are in its frame already."""
    Mods(emitter, ins).drop("uni")
    call = "E.return_from_call" if ins.op == "ret" else "E.exit"
    emitter.leave(emitter.pc + 1, f"return {call}(sel)")


def trap(emitter: Emitter, ins: Instruction) -> None:
    emitter.emit(f"return E.trap(sel, {emitter.pc})")


def call(emitter: Emitter, ins: Instruction) -> None:
    name = call_target(ins)
    results, arguments = call_parts(ins)
    program = emitter.context.program
    if name in BUILTINS:
        where = [frame_offset(emitter, argument) for argument in arguments]
        result = frame_offset(emitter, results[0]) if results else None
        emitter.leave(emitter.pc + 1, f"return E.call_builtin({name!r}, sel, {where}, {result}, {emitter.pc})")
        return
    if not name:
        raise emitter.unsupported("through a pointer")
    callee = program.routine_of(name)
    parameters = program.routines[callee].function.params
    if len(parameters) != len(arguments):
        raise emitter.unsupported("with a wrong number of arguments")
    moves = [(frame_offset(emitter, a), p.name, p.size) for a, p in zip(arguments, parameters, strict=True)]
    emitter.leave(emitter.pc + 1, f"return E.call(sel, {callee}, {moves}, {emitter.pc})")


def copy_results(emitter: Emitter, ins: Instruction) -> None:
    """The instruction after a call: fetch the callee's results from its frame."""
    name = call_target(ins)
    if name in BUILTINS:
        return
    callee = emitter.context.program.routine_of(name)
    returns = emitter.context.program.routines[callee].function.returns
    for operand, variable in zip(call_parts(ins)[0], returns, strict=True):
        emitter.emit(
            f"E.fetch_result(sel, {callee}, {variable.name!r}, {frame_offset(emitter, operand)}, {variable.size})"
        )


def frame_offset(emitter: Emitter, operand: Operand) -> int:
    if isinstance(operand, Sym) and operand.name in emitter.context.frame_symbols:
        return emitter.context.symbols[operand.name]
    raise emitter.unsupported("with an argument that is no param variable")


def barrier(emitter: Emitter, ins: Instruction) -> None:
    mods = Mods(emitter, ins)
    mods.drop("aligned", "cta")
    if mods.flag("warp"):
        mods.take("sync")
        mods.finish()
        mask = emitter.use(ins.operands[0], "u32")
        warp_point(emitter, mask)
        emitter.emit(f"E.sync_warp(sel, {mask})")
        return
    if mods.flag("cluster"):
        raise emitter.unsupported()
    kind = mods.take("sync", "arrive")
    mods.finish()
    number = emitter.temp(emitter.use(ins.operands[0], "u32"))
    count = emitter.temp(emitter.use(ins.operands[1], "u32")) if len(ins.operands) > 1 else "None"
    resume = emitter.pc + 1
    if kind == "arrive":
        emitter.emit(f"E.barriers.arrive(sel, {number}, {count}, {emitter.pc})")
        return
    emitter.suspend_unless(
        f"E.barriers.pass_together(sel, {number}, {count}, {emitter.pc})",
        resume,
        f"E.barriers.wait(sel, {number}, {count}, {emitter.pc})",
    )


def contribute(emitter: Emitter, ins: Instruction) -> None:
    """The first part of bar.red: offer a predicate to the barrier that follows."""
    source = ins.operands[0]
    predicate = f"~{emitter.use(source.reg, 'pred')}" if isinstance(source, Not) else emitter.use(source, "pred")
    emitter.emit(f"E.barriers.contribute(sel, {predicate})")


def collect(emitter: Emitter, ins: Instruction) -> None:
    """The last part of bar.red: what the block's predicates came to."""
    mods = Mods(emitter, ins)
    type_ = mods.type("u32", "pred")
    op = mods.take("popc", "and", "or")
    mods.finish()
    if not op or (type_ == "u32") != (op == "popc"):
        raise emitter.unsupported()
    emitter.define(ins.operands[0], type_, f"E.barriers.collect(sel, {op!r})")


def warp_point(emitter: Emitter, mask: str) -> None:
    """A point that every lane of the mask must reach before any goes on."""
    emitter.suspend_unless(
        f"(sel is None or E.warps.ready(sel, {mask}))", emitter.pc, f"E.warps.wait(sel, {mask}, {emitter.pc})"
    )


HANDLERS: dict[str, Handler] = {
    "bra": branch,
    "brx": indexed_branch,
    "ret": leave,
    "exit": leave,
    "trap": trap,
    "brkpt": trap,
    "call": call,
    RETURN_COPY: copy_results,
    "bar": barrier,
    "barrier": barrier,
    CONTRIBUTE: contribute,
    COLLECT: collect,
}
