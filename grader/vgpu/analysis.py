"""Facts about a program that the code generator needs: liveness, home forms, and where addresses come from."""

from __future__ import annotations

from collections import Counter

from grader.vgpu.lowering import Program, definitions, ends_block, registers_in, successors, uses
from grader.vgpu.ptx import Addr, Instruction, Reg, Sym
from grader.vgpu.types import WIDTHS, form_of, is_float


def leaders(program: Program, routine: int) -> list[int]:
    """The PCs at which blocks start, in order."""
    info = program.routines[routine]
    starts = {info.start, *program.labels[routine].values()}
    starts |= {pc + 1 for pc in range(info.start, info.end) if ends_block(program.code[pc])}
    return sorted(pc for pc in starts if pc < info.end)


class Liveness:
    """Which registers hold a value that is still needed, as bit masks over Routine.register_index."""

    def __init__(self, program: Program, routine: int) -> None:
        info = program.routines[routine]
        index = info.register_index
        self._start = info.start
        count = info.end - info.start
        self._defs = [0] * count
        self._uses = [0] * count
        for offset in range(count):
            ins = program.code[info.start + offset]
            for name in definitions(ins):
                self._defs[offset] |= 1 << index[name] if name in index else 0
            for name in uses(ins):
                self._uses[offset] |= 1 << index[name] if name in index else 0
        self._before = [0] * (count + 1)
        following = [
            [pc - info.start for pc in successors(program, routine, info.start + offset)] for offset in range(count)
        ]
        changed = True
        while changed:
            changed = False
            for offset in range(count - 1, -1, -1):
                live = 0
                for after in following[offset]:
                    live |= self._before[after]
                live = (live & ~self._defs[offset]) | self._uses[offset]
                changed = changed or live != self._before[offset]
                self._before[offset] = live

    def before(self, pc: int) -> int:
        """The registers live just before `pc`."""
        return self._before[pc - self._start]


def expected_by_cas(program: Program, routine: int) -> frozenset[str]:
    """Registers that an atom.cas compares with memory, and those whose value moves there.

    A plain load into one of them starts a compare-and-swap loop: a stale value only costs another turn, so the load
    needs no order.
    """
    info = program.routines[routine]
    code = program.code[info.start : info.end]
    found = {n for ins in code if ins.op == "atom" and "cas" in ins.mods for n in registers_in(ins.operands[2])}
    moves = [ins for ins in code if ins.op in ("mov", "cvt")] if found else []
    changed = True
    while changed:
        before = len(found)
        for ins in moves:
            if found.intersection(registers_in(ins.operands[0])):
                found.update(uses(ins))
        changed = len(found) > before
    return frozenset(found)


def members(mask: int) -> list[int]:
    """The set bits of a mask, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def home_forms(program: Program, routine: int) -> list[str]:
    """One form per register: the one most of its instructions compute in, so that few views are needed."""
    info = program.routines[routine]
    votes: dict[str, Counter[str]] = {name: Counter() for name in info.function.registers}
    for ins in program.code[info.start : info.end]:
        forms = [form_of(mod) for mod in ins.mods if mod in WIDTHS and mod != "pred"]
        typed = [mod for mod in ins.mods if mod in WIDTHS and mod[0] != "b" or mod == "bf16"]
        if not typed or not forms:
            continue
        for name in definitions(ins):
            _vote(votes, name, forms[0])
        for name in uses(ins):
            _vote(votes, name, forms[-1])
    return [_elect(info.function.registers[name], votes[name]) for name in info.function.registers]


def _vote(votes: dict[str, Counter[str]], name: str, form: str) -> None:
    if name in votes:
        votes[name][form] += 1


def _elect(declared: str, votes: Counter[str]) -> str:
    if declared == "pred":
        return "pred"
    bits = WIDTHS[declared]
    fitting = Counter({form: n for form, n in votes.items() if WIDTHS[form] == bits})
    if fitting:
        return fitting.most_common(1)[0][0]
    own = form_of(declared)
    return own if is_float(own) else f"u{bits}"


class Provenance:
    """Which kernel parameters each register's value may be computed from.

    Flow-insensitive and conservative: None stands for "anything" (a value loaded from memory or returned by a call).
    """

    _ARITHMETIC = {
        "mov",
        "add",
        "sub",
        "mad",
        "cvta",
        "selp",
        "cvt",
        "and",
        "or",
        "xor",
        "min",
        "max",
        "shl",
        "shr",
        "mul",
        "fma",
        "setp",
        "not",
        "neg",
        "slct",
        "prmt",
        "bfe",
        "bfi",
        "div",
        "rem",
        "popc",
    }

    def __init__(self, program: Program) -> None:
        self._origins: dict[tuple[int, str], frozenset[str] | None] = {}
        for routine, info in enumerate(program.routines):
            changed = True
            while changed:
                changed = False
                for ins in program.code[info.start : info.end]:
                    changed |= self._transfer(routine, info.function.is_entry, ins)
        self._program = program

    def _transfer(self, routine: int, is_entry: bool, ins: Instruction) -> bool:
        origin = self._origin(routine, is_entry, ins)
        changed = False
        for name in definitions(ins):
            old = self._origins.get((routine, name), frozenset())
            new = None if old is None or origin is None else old | origin
            changed |= new != old
            self._origins[routine, name] = new
        return changed

    def _origin(self, routine: int, is_entry: bool, ins: Instruction) -> frozenset[str] | None:
        if ins.op == "ld" and "param" in ins.mods and is_entry:
            address = ins.operands[1]
            if isinstance(address, Addr) and isinstance(address.base, Sym):
                return frozenset([address.base.name])
            return None
        if ins.op not in self._ARITHMETIC:
            return frozenset() if "%" in ins.op else None
        union: frozenset[str] = frozenset()
        for name in uses(ins):
            origin = self._origins.get((routine, name), frozenset())
            if origin is None:
                return None
            union |= origin
        return union

    def converted(self) -> set[str]:
        """The parameters that cvta turns into global addresses."""
        found: set[str] = set()
        for routine, info in enumerate(self._program.routines):
            for ins in self._program.code[info.start : info.end]:
                if ins.op == "cvta" and "to" in ins.mods and isinstance(ins.operands[1], Reg):
                    found |= self._origins.get((routine, ins.operands[1].name)) or frozenset()
        return found

    def addresses(self, ops: set[str]) -> set[str] | None:
        """The parameters through which instructions of `ops` may access memory; None when that is unknown."""
        found: set[str] = set()
        for routine, info in enumerate(self._program.routines):
            for ins in self._program.code[info.start : info.end]:
                if ins.op not in ops or not _outside_block(ins):
                    continue
                for operand in ins.operands:
                    if isinstance(operand, Addr) and isinstance(operand.base, Reg):
                        origin = self._origins.get((routine, operand.base.name), frozenset())
                        if origin is None:
                            return None
                        found |= origin
        return found


def _outside_block(ins: Instruction) -> bool:
    return not {"shared", "local", "param", "const"} & {mod.split("::")[0] for mod in ins.mods}
