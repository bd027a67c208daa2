"""What a program's text tells about its memory accesses, before it runs."""

from __future__ import annotations

from dataclasses import dataclass

from grader.vgpu.analysis import Provenance
from grader.vgpu.declarations import SIZES
from grader.vgpu.lowering import Program, successors, target
from grader.vgpu.ptx import Instruction

_ACCESSES = {"ld", "st", "atom", "red", "ldu"}
_POLLS = {"volatile", "acquire", "relaxed", "mmio"}


@dataclass(frozen=True)
class Facts:
    """Granules are the smallest widths of access (bytes): the cells of the shadow memories."""

    shared_granule: int
    global_granule: int
    written_params: frozenset[str] | None  # parameters that stores may go through; None if that is unknown
    pointer_params: frozenset[str]
    polls: bool  # a loop reads memory that other blocks may change: all blocks must be resident
    _elements: dict[str, int]

    def element_of(self, variable: str) -> int:
        """Bytes of one element of a module variable."""
        return self._elements.get(variable, 1)


def find_facts(program: Program) -> Facts:
    """Look through all instructions of the kernel and the functions it calls."""
    provenance = Provenance(program)
    shared, other = [4], [4]
    for ins in program.code:
        if ins.op in _ACCESSES:
            (shared if _may_be_shared(ins) else other).append(_width(ins))
            if _is_generic(ins):
                other.append(_width(ins))
    written = provenance.addresses({"st", "atom", "red"})
    used = provenance.addresses({"st", "atom", "red", "ld", "cp"})
    pointers = {p.name for p in program.routines[0].function.params if p.pointer_space} | (used or set())
    pointers |= provenance.converted()
    elements = {v.name: SIZES[v.type] for v in program.module.variables.values()}
    return Facts(
        min(shared),
        min(other),
        frozenset(written) if written is not None else None,
        frozenset(pointers),
        _has_polling_loop(program),
        elements,
    )


def _spaces(ins: Instruction) -> set[str]:
    return {mod.split("::")[0] for mod in ins.mods} & {"global", "shared", "local", "const", "param"}


def _is_generic(ins: Instruction) -> bool:
    return not _spaces(ins)


def _may_be_shared(ins: Instruction) -> bool:
    return "shared" in _spaces(ins) or _is_generic(ins)


def _width(ins: Instruction) -> int:
    return next((SIZES[mod] for mod in reversed(ins.mods) if mod in SIZES), 4)


def _has_polling_loop(program: Program) -> bool:
    """Whether a loop contains an atomic or a volatile load."""
    for routine, info in enumerate(program.routines):
        for pc in range(info.start, info.end):
            ins = program.code[pc]
            if ins.op != "bra" or not successors(program, routine, pc):
                continue
            start = target(program, routine, ins)
            body = program.code[start : pc + 1]
            if start <= pc and any(i.op == "atom" or (i.op == "ld" and _POLLS & set(i.mods)) for i in body):
                return True
    return False
