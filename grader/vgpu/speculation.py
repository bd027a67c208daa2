"""Loads that the compiler moved before the branch that guards them.

From `if (t == 0) sum += shared[0];` NVVM makes a load by every thread, an addition, and a `selp` that keeps the sum
in thread 0 alone: it saves a branch, and reading too much does no harm. To the race checker it would: it must blame
only the threads that keep the value. So what such a load has read is looked at when the selp has chosen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.vgpu.lowering import Program, definitions, registers_in, uses
from grader.vgpu.ptx import Instruction, Reg

_PURE = frozenset(
    {"mov", "cvt", "add", "sub", "mul", "mad", "fma", "min", "max", "neg", "abs", "not", "and", "or", "xor"}
)
_ORDERS = frozenset({"bar", "barrier", "call", "mbarrier", "membar", "fence"})
_LONGEST = 24
"""Instructions between such a load and its selp; what is guarded by a branch and moved before it is never long."""


@dataclass(frozen=True)
class Speculation:
    """`loads` are the PCs of such loads, `choices` those of the selps that decide about them: for each the loads, and
    whether a true predicate keeps what they read.
    """

    loads: frozenset[int] = frozenset()
    choices: Mapping[int, tuple[tuple[int, bool], ...]] = field(default_factory=dict)


def find_speculation(program: Program) -> Speculation:
    """Look through every routine of the program."""
    choices: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    loads = set()
    for routine in program.routines:
        code = program.code[routine.start : routine.end]
        if not any(ins.op == "selp" for ins in code):
            continue
        readers: dict[str, list[int]] = defaultdict(list)
        for offset, ins in enumerate(code):
            for name in dict.fromkeys(uses(ins)):
                readers[name].append(routine.start + offset)
        for pc in range(routine.start, routine.end):
            for selp, when in _choices(program, readers, pc):
                choices[selp].append((pc, when))
                loads.add(pc)
    return Speculation(frozenset(loads), {pc: tuple(pairs) for pc, pairs in choices.items()})


def _choices(program: Program, readers: Mapping[str, list[int]], load: int) -> list[tuple[int, bool]]:
    """The selps that alone decide whether what is loaded at `load` is used; none, if anything else may use it."""
    ins = program.code[load]
    if ins.op != "ld" or "shared" not in ins.mods or "volatile" in ins.mods or ins.guard is not None:
        return []
    tainted = set(definitions(ins))
    waiting = list(tainted)
    found: set[int] = set()
    seen: set[int] = set()
    while waiting:
        for pc in readers.get(waiting.pop(), ()):
            user = program.code[pc]
            if pc in seen:
                continue
            seen.add(pc)
            if len(seen) > _LONGEST or pc <= load or user.guard is not None:
                return []
            if user.op == "selp":
                found.add(pc)
            elif user.op in _PURE:
                waiting += [name for name in definitions(user) if name not in tainted]
                tainted |= set(definitions(user))
            else:
                return []
    kept = [(pc, _side(program.code[pc], tainted)) for pc in found]
    if any(side is None for _, side in kept) or not kept:
        return []
    between = program.code[load : max(found)]
    if any(one.op in _ORDERS for one in between):
        return []
    return [(pc, bool(side)) for pc, side in kept]


def _side(selp: Instruction, tainted: set[str]) -> bool | None:
    """Whether a true predicate picks the tainted value; None where both values, or the predicate, are."""
    _, first, second, predicate = selp.operands
    left, right = (isinstance(one, Reg) and one.name in tainted for one in (first, second))
    if left == right or set(registers_in(predicate)) & tainted:
        return None
    return left
