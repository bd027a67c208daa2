"""Compiles a lowered program to Python functions, block by block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.vgpu import (
    emit_async,
    emit_bits,
    emit_compare,
    emit_control,
    emit_float,
    emit_integer,
    emit_matrix,
    emit_memory,
    emit_move,
    emit_warp,
    runtime,
)
from grader.vgpu.analysis import Liveness, expected_by_cas, home_forms, leaders
from grader.vgpu.emitter import Emitter, FunctionContext
from grader.vgpu.handlers import Handler
from grader.vgpu.layout import Layout
from grader.vgpu.lowering import Program
from grader.vgpu.ptx import Instruction
from grader.vgpu.speculation import Speculation, find_speculation
from grader.vgpu.types import DTYPES

HANDLERS: dict[str, Handler] = {
    **emit_integer.HANDLERS,
    **emit_bits.HANDLERS,
    **emit_compare.HANDLERS,
    **emit_float.HANDLERS,
    **emit_move.HANDLERS,
    **emit_memory.HANDLERS,
    **emit_async.HANDLERS,
    **emit_control.HANDLERS,
    **emit_warp.HANDLERS,
    **emit_matrix.HANDLERS,
}


@dataclass(frozen=True, slots=True)
class Block:
    """A compiled block. `size` is its number of instructions, `end` the PC after its last one."""

    run: Callable[..., int | None]
    routine: int
    size: int
    end: int


class CompiledProgram:
    """The blocks of a program by PC. Entries in the middle of a block, where a group of lanes resumes after a
    barrier or a warp-synchronous instruction, are compiled when first needed."""

    def __init__(self, program: Program, layout: Layout) -> None:
        self.program = program
        self.speculation = find_speculation(program)
        self.contexts = [_context(program, layout, i, self.speculation) for i in range(len(program.routines))]
        self._ends: list[tuple[int, list[int]]] = []
        self.blocks: dict[int, Block] = {}
        self._globals: dict[str, Any] = dict(runtime.NAMESPACE)
        for routine in range(len(program.routines)):
            self._ends.append((routine, leaders(program, routine)))
            self._compile(routine, self._ends[routine][1])

    def block(self, pc: int) -> Block:
        """The block that starts at `pc`."""
        if pc not in self.blocks:
            routine = next(i for i, r in enumerate(self.program.routines) if r.start <= pc < r.end)
            self._compile(routine, [pc])
        return self.blocks[pc]

    def entry(self, routine: int) -> int:
        return self.program.routines[routine].start

    def register_forms(self, routine: int) -> list[str]:
        return self.contexts[routine].homes

    def _compile(self, routine: int, starts: list[int]) -> None:
        boundaries = [*self._ends[routine][1], self.program.routines[routine].end]
        sources = []
        for start in starts:
            end = next(pc for pc in boundaries if pc > start)
            sources.append(self._source(routine, start, end))
        for name, (form, bits) in self.contexts[routine].constants.items():
            if name not in self._globals:
                self._globals[name] = _scalar(form, bits)
        exec(compile("\n".join(sources), f"<{self.program.routines[routine].function.name}>", "exec"), self._globals)
        for start in starts:
            end = next(pc for pc in boundaries if pc > start)
            self.blocks[start] = Block(self._globals[f"block{start}"], routine, end - start, end)

    def _source(self, routine: int, start: int, end: int) -> str:
        emitter = Emitter(self.contexts[routine])
        code = self.program.code
        for pc in range(start, end):
            emitter.pc, emitter.ins = pc, code[pc]
            translate(emitter, code[pc])
        if code[end - 1].op not in emit_control.TERMINATORS:
            emitter.leave(end, f"return {end}")
        return emitter.source(f"block{start}")


def translate(emitter: Emitter, ins: Instruction) -> None:
    """Translate one instruction, under its guard if it has one. Raises Unsupported."""
    handler = HANDLERS.get(ins.op)
    if handler is None:
        raise emitter.unsupported()
    guard = ins.guard
    if guard is not None and ins.op not in emit_control.TERMINATORS:
        name = emitter.use(guard.reg, "pred")
        emitter.guard = emitter.temp(f"~{name}") if guard.negated else name
    handler(emitter, ins)
    emitter.guard = ""


def _context(program: Program, layout: Layout, routine: int, speculation: Speculation) -> FunctionContext:
    symbols, frame_symbols = layout.symbols(routine)
    return FunctionContext(
        program,
        routine,
        Liveness(program, routine),
        home_forms(program, routine),
        symbols,
        frame_symbols,
        layout.param_offsets if program.routines[routine].function.is_entry else {},
        expected_by_cas(program, routine),
        speculation.choices,
    )


def _scalar(form: str, bits: int) -> np.generic:
    size = 1 if form == "pred" else np.dtype(DTYPES[form]).itemsize
    scalar: np.generic = np.frombuffer(bits.to_bytes(size, "little"), DTYPES[form])[0]
    return scalar
