"""What the handlers of instructions (emit_*.py) share."""

from __future__ import annotations

from collections.abc import Callable

from grader.vgpu.emitter import Emitter
from grader.vgpu.mods import Mods, operands
from grader.vgpu.ptx import Instruction, Reg
from grader.vgpu.types import form_of

Handler = Callable[[Emitter, Instruction], None]

INTS = ("u16", "s16", "u32", "s32", "u64", "s64")
BITS = ("b16", "b32", "b64")


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
