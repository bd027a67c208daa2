"""The parsed form of a PTX module: plain data, no behaviour beyond look-ups."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the learner's source; line 0 means unknown."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Reg:
    """A virtual register; special registers (%tid.x) are Reg too."""

    name: str


@dataclass(frozen=True, slots=True)
class Imm:
    """An integer immediate, or a floating one (`floating` is "f32" or "f64" and `value` its bits)."""

    value: int
    floating: str = ""


@dataclass(frozen=True, slots=True)
class Sym:
    """The address of a variable, or the name of a label or function."""

    name: str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Addr:
    """A memory operand [base + offset]; base is None for an absolute address."""

    base: Reg | Sym | None
    offset: int


@dataclass(frozen=True, slots=True)
class Vec:
    """A brace- or parenthesis-enclosed list: {%f1, %f2} or the argument list of a call."""

    items: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two destinations written d|p, as in shfl and setp."""

    first: Operand
    second: Operand


@dataclass(frozen=True, slots=True)
class Not:
    """A negated predicate operand, !%p."""

    reg: Reg


Operand = Reg | Imm | Sym | Addr | Vec | Pair | Not


@dataclass(frozen=True, slots=True)
class Guard:
    """The predicate that an instruction runs under: @%p or @!%p."""

    reg: Reg
    negated: bool


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: `op` is the base opcode, `mods` the rest of its dotted name in order."""

    op: str
    mods: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: Guard | None
    loc: int  # index into Module.locations

    @property
    def name(self) -> str:
        return ".".join((self.op, *self.mods))


@dataclass(slots=True)
class Variable:
    """A variable in a state space. `size` is 0 for an unsized (dynamic shared memory) array."""

    space: str
    name: str
    type: str
    align: int
    size: int
    init: bytes = b""
    relocations: list[tuple[int, Sym, bool]] = field(default_factory=list)  # (byte, symbol, generic address?)
    pointer_space: str = ""  # for a parameter: the space that .ptr names, "generic" when .ptr names none


@dataclass(slots=True)
class Function:
    """A kernel or a device function. `body` is None for a declaration; `labels` gives instruction indices."""

    name: str
    is_entry: bool
    params: list[Variable]
    returns: list[Variable]
    body: list[Instruction] | None = None
    labels: dict[str, int] = field(default_factory=dict)
    registers: dict[str, str] = field(default_factory=dict)  # name -> type, for the registers in use
    variables: dict[str, Variable] = field(default_factory=dict)  # shared, local and param variables of the body
    reqntid: tuple[int, ...] = ()
    tables: dict[str, list[str]] = field(default_factory=dict)  # of brx.idx: name -> labels


@dataclass(slots=True)
class Module:
    """A whole PTX text."""

    target: str
    functions: dict[str, Function]
    variables: dict[str, Variable]
    locations: list[Location]
