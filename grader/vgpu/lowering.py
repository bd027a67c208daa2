"""From parsed functions to one flat program, which is what the code generator and the engine index by PC.

A program counter (PC) is an index into Program.code. Guards stay only on instructions that can be masked lane by
lane; a guarded barrier, call, shuffle or return becomes a branch around the plain instruction.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from grader.vgpu.errors import PtxError, Unsupported
from grader.vgpu.ptx import Function, Guard, Instruction, Module, Operand, Pair, Reg, Sym, Variable, Vec

# Instructions that write no register.
_NO_RESULT = {
    "st",
    "red",
    "bra",
    "ret",
    "exit",
    "trap",
    "call",
    "membar",
    "fence",
    "cp",
    "prefetch",
    "prefetchu",
    "nanosleep",
    "brkpt",
    "discard",
    "applypriority",
    "griddepcontrol",
    "wgmma",
    "setmaxnreg",
    "stmatrix",
    "pmevent",
    "brx",
}
# Instructions that a guard must branch around, because they end a block, move control or involve other lanes.
_UNMASKABLE = {
    "ret",
    "exit",
    "trap",
    "call",
    "bar",
    "barrier",
    "shfl",
    "vote",
    "match",
    "redux",
    "activemask",
    "ldmatrix",
    "movmatrix",
    "stmatrix",
    "mma",
    "wmma",
    "brx",
    "mbarrier",
    "wgmma",
    "elect",
}
_ENDS_BLOCK = {"bra", "brx", "ret", "exit", "trap", "call"}
# Pseudo-instructions: after a call, fetch the callee's results; around the barrier of bar.red, offer and collect.
RETURN_COPY, CONTRIBUTE, COLLECT = "%copy_results", "%contribute", "%collect"


@dataclass(slots=True)
class Routine:
    """A lowered function: its code is Program.code[start:end]."""

    function: Function
    start: int
    end: int
    register_index: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Program:
    """The kernel and every function it can call."""

    module: Module
    code: list[Instruction]
    routines: list[Routine]
    labels: list[dict[str, int]]  # per routine: label -> PC

    def routine_of(self, name: str) -> int:
        return next(i for i, routine in enumerate(self.routines) if routine.function.name == name)

    def location(self, pc: int) -> str:
        return str(self.module.locations[self.code[pc].loc])


def lower(module: Module, kernel: str) -> Program:
    """Flatten `kernel` and its callees. Raises Unsupported for a call of a function without a body."""
    program = Program(module, [], [], [])
    pending, seen = [kernel], {kernel}
    while pending:
        function = module.functions[pending.pop(0)]
        _append(program, function)
        for callee in _callees(module, function):
            if callee not in seen:
                seen.add(callee)
                pending.append(callee)
    return program


def _append(program: Program, function: Function) -> None:
    start = len(program.code)
    targets = {index: [] for index in function.labels.values()}  # type: dict[int, list[str]]
    for label, index in function.labels.items():
        targets[index].append(label)
    labels: dict[str, int] = {}
    for index, instruction in enumerate(function.body or []):
        for label in targets.get(index, []):
            labels[label] = len(program.code)
        program.code += _expand(instruction, labels, len(program.code))
    for label in targets.get(len(function.body or []), []):
        labels[label] = len(program.code)
    loc = program.code[-1].loc if len(program.code) > start else 0
    program.code.append(Instruction("ret", (), (), None, loc))  # a body may end without one
    routine = Routine(function, start, len(program.code))
    routine.register_index = {name: i for i, name in enumerate(function.registers)}
    program.routines.append(routine)
    program.labels.append(labels)


def _expand(ins: Instruction, labels: dict[str, int], pc: int) -> list[Instruction]:
    plain = [replace(ins, guard=None)]
    if ins.op == "call":
        plain.append(Instruction(RETURN_COPY, (), ins.operands, None, ins.loc))
    elif ins.op in ("bar", "barrier") and "red" in ins.mods and len(ins.operands) > 2:
        plain = _split_reduction(ins)
    if ins.guard is None or (ins.op not in _UNMASKABLE and not _is_sync(ins)):
        return plain if ins.guard is None else [ins]
    skip = f"%skip{pc}"
    labels[skip] = pc + 1 + len(plain)
    inverse = Guard(ins.guard.reg, not ins.guard.negated)
    return [Instruction("bra", (), (Sym(skip),), inverse, ins.loc), *plain]


def _split_reduction(ins: Instruction) -> list[Instruction]:
    result, *barrier, predicate = ins.operands
    kind = tuple(mod for mod in ins.mods if mod in ("popc", "and", "or", "u32", "pred"))
    return [
        Instruction(CONTRIBUTE, (), (predicate,), None, ins.loc),
        Instruction(ins.op, ("sync",), tuple(barrier), None, ins.loc),
        Instruction(COLLECT, kind, (result,), None, ins.loc),
    ]


def _is_sync(ins: Instruction) -> bool:
    return ins.op == "cp" and ("bulk" in ins.mods or "wait_group" in ins.mods or "mbarrier" in ins.mods)


def _callees(module: Module, function: Function) -> list[str]:
    names = []
    for ins in function.body or []:
        if ins.op == "call":
            name = call_target(ins)
            callee = module.functions.get(name)
            if callee is not None and callee.body is not None:
                names.append(name)
            elif name not in BUILTINS:
                raise Unsupported(f"a call of {name or 'a function pointer'}", str(module.locations[ins.loc]))
    return names


BUILTINS = {"vprintf", "__assertfail"}


def call_target(ins: Instruction) -> str:
    """The called function's name, "" for a call through a register."""
    return next((operand.name for operand in ins.operands if isinstance(operand, Sym)), "")


def call_parts(ins: Instruction) -> tuple[list[Operand], list[Operand]]:
    """(result variables, argument variables) of a call."""
    lists = [operand.items for operand in ins.operands if isinstance(operand, Vec)]
    first_is_result = bool(ins.operands) and isinstance(ins.operands[0], Vec)
    results = lists.pop(0) if first_is_result else ()
    return list(results), list(lists[0]) if lists else []


def ends_block(ins: Instruction) -> bool:
    return ins.op in _ENDS_BLOCK


def registers_in(operand: Operand | None) -> list[str]:
    """The register names that an operand mentions."""
    match operand:
        case Reg(name):
            return [name]
        case Vec(items):
            return [name for item in items for name in registers_in(item)]
        case Pair(first, second):
            return registers_in(first) + registers_in(second)
        case None:
            return []
    inner = getattr(operand, "base", None) or getattr(operand, "reg", None)
    return [inner.name] if isinstance(inner, Reg) else []


def has_result(ins: Instruction) -> bool:
    if ins.op in ("bar", "barrier"):
        return False
    if ins.op == "wmma":
        return "store" not in ins.mods
    if ins.op == "mbarrier":
        return not {"init", "inval", "complete_tx", "expect_tx"} & set(ins.mods[:1]) and len(ins.operands) > 1
    return ins.op not in _NO_RESULT and ins.op not in (RETURN_COPY, CONTRIBUTE)


def definitions(ins: Instruction) -> list[str]:
    """The registers an instruction writes."""
    return registers_in(ins.operands[0]) if ins.operands and has_result(ins) else []


def uses(ins: Instruction) -> list[str]:
    """The registers an instruction reads; a guarded one also keeps what it does not overwrite."""
    sources = ins.operands[1:] if has_result(ins) else ins.operands
    names = [name for operand in sources for name in registers_in(operand)]
    if ins.guard is not None:
        names += [ins.guard.reg.name, *definitions(ins)]
    return names


def successors(program: Program, routine: int, pc: int) -> list[int]:
    """The PCs that may follow `pc` within its routine."""
    ins = program.code[pc]
    if ins.op in ("ret", "exit", "trap") and ins.guard is None:
        return []
    following = [pc + 1] if ins.guard is not None or ins.op not in ("bra", "brx") else []
    if ins.op == "bra":
        following.append(target(program, routine, ins))
    elif ins.op == "brx":
        following += branch_table(program, routine, ins)
    return following


def target(program: Program, routine: int, ins: Instruction) -> int:
    """The PC a branch goes to. Raises PtxError when its label does not exist."""
    label = ins.operands[0] if ins.operands else None
    if not isinstance(label, Sym) or label.name not in program.labels[routine]:
        raise PtxError(f"{ins.name}: no such label ({program.module.locations[ins.loc]})")
    return program.labels[routine][label.name]


def branch_table(program: Program, routine: int, ins: Instruction) -> list[int]:
    """The PCs that brx.idx may go to. Raises PtxError when its table or a label does not exist."""
    tables, labels = program.routines[routine].function.tables, program.labels[routine]
    table = ins.operands[1] if len(ins.operands) == 2 else None
    names = tables.get(table.name, []) if isinstance(table, Sym) else []
    if not names or any(name not in labels for name in names):
        raise PtxError(f"{ins.name}: no such table of labels ({program.module.locations[ins.loc]})")
    return [labels[name] for name in names]


def local_variables(function: Function) -> list[Variable]:
    """What a call frame holds: local arrays, outgoing parameters, and the function's own parameters and results."""
    own = [v for v in function.variables.values() if v.space in ("local", "param")]
    return own if function.is_entry else [*own, *function.params, *function.returns]
