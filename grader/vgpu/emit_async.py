"""Asynchronous copies: cp.async ("Data Movement and Conversion: Asynchronous copy" in the PTX ISA manual)."""

from __future__ import annotations

from grader.vgpu.emit_memory import address
from grader.vgpu.emitter import Emitter
from grader.vgpu.handlers import Handler
from grader.vgpu.mods import Mods
from grader.vgpu.ptx import Imm, Instruction, Not, Operand


def copy_async(emitter: Emitter, ins: Instruction) -> None:
    mods = Mods(emitter, ins)
    if not mods.flag("async"):
        raise emitter.unsupported()
    if mods.flag("commit_group"):
        mods.finish()
        emitter.emit(f"E.copies.commit(sel, {emitter.guard or None})")
        return
    if mods.flag("wait_all") or mods.flag("wait_group"):
        mods.finish()
        pending = ins.operands[0].value if ins.operands and isinstance(ins.operands[0], Imm) else None
        emitter.emit(f"E.copies.wait(sel, {pending})")
        return
    mods.drop("L2::", "level::", "ca", "cg")
    if not (mods.flag("global") and mods.take("shared", "shared::cta")):
        raise emitter.unsupported()
    mods.finish()
    given = ins.operands[:-1] if "L2::cache_hint" in ins.mods else ins.operands
    size = given[2]
    if not isinstance(size, Imm) or size.value not in (4, 8, 16):
        raise emitter.unsupported("of this size")
    target, source = address(emitter, ins.operands[0], "shared"), address(emitter, ins.operands[1], "global")
    length = _copied(emitter, given[3], size.value) if len(given) > 3 else "None"
    emitter.emit(
        f"E.copies.start({target}, {source}, {size.value}, {length}, sel, {emitter.guard or None}, {emitter.pc})"
    )


def _copied(emitter: Emitter, operand: Operand, size: int) -> str:
    """How many bytes cp.async reads: its src-size, or none where its ignore-src predicate holds."""
    negated = isinstance(operand, Not)
    source = operand.reg if isinstance(operand, Not) else operand
    if not emitter.declared_is(source, "pred"):
        return emitter.use(operand, "u32")
    ignored = f"~{emitter.use(source, 'pred')}" if negated else emitter.use(source, "pred")
    return f"select({ignored}, {emitter.constant(0, 'u32')}, {emitter.constant(size, 'u32')})"


HANDLERS: dict[str, Handler] = {"cp": copy_async}
