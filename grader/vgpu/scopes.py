"""Names inside a function: braces open a scope, and inline assembly may declare the same name again and again."""

from __future__ import annotations

import re
from dataclasses import replace

from grader.vgpu.errors import PtxError
from grader.vgpu.ptx import Addr, Function, Not, Operand, Pair, Reg, Sym, Variable, Vec

SPECIAL = re.compile(
    r"%(tid|ntid|ctaid|nctaid|laneid|warpid|nwarpid|clock|clock64|clock_hi|globaltimer|globaltimer_lo|"
    r"globaltimer_hi|gridid|smid|nsmid|lanemask_\w+|total_smem_size|dynamic_smem_size|aggr_smem_size|"
    r"cluster\w*|is_explicit_cluster|pm\d+|envreg\d+|current_graph_exec|reserved_smem_\w+)(\.[xyzw])?$"
)


class Scopes:
    """Resolves the names of operands to registers, variables and labels that are unique within the function."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._names: list[dict[str, str]] = [{}]  # name -> unique name (variables and single registers)
        self._families: list[dict[str, tuple[str, int, str]]] = [{}]  # prefix -> (type, count, unique prefix)
        self._serial = 0

    @property
    def depth(self) -> int:
        return len(self._names)

    def enter(self) -> None:
        self._names.append({})
        self._families.append({})

    def leave(self) -> None:
        self._names.pop()
        self._families.pop()

    def label(self, name: str) -> str:
        """The unique name of a label: inline assembly may repeat labels in sibling scopes."""
        return self._unique(name)

    def declare_registers(self, name: str, type_: str, count: int | None) -> None:
        if count is not None:
            self._serial += 1
            prefix = name if name not in self._families[0] else f"{name}.{self._serial}."
            self._families[-1][name] = (type_, count, prefix)
        else:
            self._function.registers[self._unique(name)] = type_

    def declare_variable(self, variable: Variable) -> None:
        unique = self._unique(variable.name)
        self._function.variables[unique] = replace(variable, name=unique)

    def _unique(self, name: str) -> str:
        function = self._function
        unique = name
        while any(unique in taken for taken in (function.registers, function.variables, function.labels)):
            self._serial += 1
            unique = f"{name}.{self._serial}"
        self._names[-1][name] = unique
        return unique

    def resolve(self, operand: Operand) -> Operand:
        """The operand with every name made unique; names that are not registers become Sym."""
        match operand:
            case Reg(name):
                return self._name(name)
            case Sym(name, offset):
                found = self._name(name)
                if isinstance(found, Sym):
                    return Sym(found.name, offset)
                raise PtxError(f"an offset on the register {name}")
            case Addr(Reg(name), offset):
                base = self._name(name)
                return Addr(base, offset)
            case Vec(items):
                return Vec(tuple(self.resolve(item) for item in items))
            case Pair(first, second):
                return Pair(self.resolve(first), self.resolve(second))
            case Not(Reg(name)):
                reg = self._name(name)
                if isinstance(reg, Reg):
                    return Not(reg)
                raise PtxError(f"{name} is not a predicate register")
        return operand

    def _name(self, name: str) -> Reg | Sym:
        for names, families in zip(reversed(self._names), reversed(self._families), strict=True):
            if name in names:
                unique = names[name]
                return Reg(unique) if unique in self._function.registers else Sym(unique)
            family = _family(name, families)
            if family is not None:
                type_, unique = family
                self._function.registers[unique] = type_
                return Reg(unique)
        if name == "_" or SPECIAL.match(name):
            return Reg(name)
        if name.startswith("%"):
            raise PtxError(f"register {name} is not declared")
        return Sym(name)


def _family(name: str, families: dict[str, tuple[str, int, str]]) -> tuple[str, str] | None:
    prefix = name.rstrip("0123456789")
    number = name[len(prefix) :]
    if not number or prefix not in families:
        return None
    type_, count, unique = families[prefix]
    return (type_, unique + number) if int(number) < count else None
