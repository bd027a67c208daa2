"""Translates one block of instructions to the source of one Python function.

Within a block every PTX register is a Python local in single-assignment form; a value may be held in several forms
(views) at once. Registers live in a RegisterFile between blocks: they are loaded on first use and the changed ones
that are still live are stored when control leaves. The generated function is called as block(E, R, sel): the engine,
the register file, and the group's lanes (None: all of the chunk; a slice; or an index array).
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from dataclasses import dataclass, field

from grader.vgpu.analysis import Liveness, members
from grader.vgpu.errors import Unsupported
from grader.vgpu.lowering import Program
from grader.vgpu.ptx import Function, Imm, Instruction, Operand, Reg, Sym
from grader.vgpu.types import WIDTHS, is_float, unsigned, width


@dataclass(slots=True)
class Value:
    """One single-assignment value: its name in each form it has been viewed in. `fresh` if no other value or
    register shares its memory."""

    forms: dict[str, str]
    fresh: bool


@dataclass(slots=True)
class FunctionContext:
    """What is known about the routine that a block belongs to."""

    program: Program
    routine: int
    live: Liveness
    homes: list[str]
    symbols: dict[str, int]  # address of every variable, in its own state space; locals relative to the frame
    frame_symbols: frozenset[str]  # those of `symbols` that live in the call frame
    param_offsets: dict[str, int]  # kernel parameters: byte offset in the parameter buffer
    cas_expected: frozenset[str]  # registers that hold what a compare-and-swap expects
    choices: Collection[int] = ()  # selps that decide about loads of speculation.py
    constants: dict[str, tuple[str, int]] = field(default_factory=dict)  # name -> (form, bits)

    @property
    def function(self) -> Function:
        return self.program.routines[self.routine].function

    @property
    def register_index(self) -> dict[str, int]:
        return self.program.routines[self.routine].register_index


class Emitter:
    """Collects the lines of one block function."""

    def __init__(self, context: FunctionContext) -> None:
        self.context = context
        self.lines: list[str] = []
        self.values: dict[str, Value] = {}
        self.loaded: dict[str, str] = {}  # register -> the local its initial value is loaded into
        self.changed: set[str] = set()
        self.guard = ""  # the predicate expression of the current instruction, "" for none
        self.ins: Instruction | None = None
        self.pc = 0
        self._serial = 0

    # Errors and plain output.

    def unsupported(self, detail: str = "") -> Unsupported:
        assert self.ins is not None
        return Unsupported(self.ins.name + (f" {detail}" if detail else ""), self.context.program.location(self.pc))

    def emit(self, line: str) -> None:
        self.lines.append("    " + line)

    def temp(self, expression: str) -> str:
        """Assign an expression to a new local; its name."""
        self._serial += 1
        name = f"v{self._serial}"
        self.emit(f"{name} = {expression}")
        return name

    # Reading operands.

    def use(self, operand: Operand, form: str) -> str:
        """An expression for an operand's value in a form; wider registers are truncated."""
        match operand:
            case Imm():
                return self.immediate(operand, form)
            case Sym("WARP_SZ"):
                return self.constant(32, form)
            case Sym(name, offset):
                return self.address_of(name, offset, form)
            case Reg(name) if name in self.context.register_index:
                return self._register(name, form)
            case Reg(name):
                return self._special(name, form)
        raise self.unsupported("with this operand")

    def immediate(self, imm: Imm, form: str) -> str:
        bits = imm.value
        if imm.floating and not (is_float(form) or width(form) == WIDTHS[imm.floating]):
            raise self.unsupported("with a floating-point immediate")
        if imm.floating == "f64" and form == "f32":
            bits = double_to_single_bits(bits)
        elif is_float(form) and not imm.floating:
            raise self.unsupported("with an integer immediate")
        return self.constant(bits, form)

    def constant(self, bits: int, form: str) -> str:
        """A named NumPy scalar constant with these bits."""
        bits &= (1 << width(form)) - 1
        name = f"c_{form}_{bits:x}"
        self.context.constants[name] = (form, bits)
        return name

    def address_of(self, name: str, offset: int, form: str) -> str:
        context = self.context
        if name in context.param_offsets:
            return self.constant(context.param_offsets[name] + offset, form)
        if name not in context.symbols:
            raise self.unsupported(f"with the symbol {name}")
        constant = self.constant(context.symbols[name] + offset, form)
        return f"(E.frame_{unsigned(form)} + {constant})" if name in context.frame_symbols else constant

    def _special(self, name: str, form: str) -> str:
        key = f"{name} as {form}"
        if key not in self.values:
            expression = f"special(E, {name!r}, sel)"
            if form not in ("u32", "s32"):
                expression += f".astype({form})"
            elif form == "s32":
                expression += ".view(s32)"
            self.values[key] = Value({form: self.temp(expression)}, fresh=False)
        return self.values[key].forms[form]

    def _register(self, name: str, form: str) -> str:
        value = self.value_of(name)
        home = next(iter(value.forms))
        held, wanted = width(home), width(form)
        if held == wanted:
            return self.view(value, form)
        if held < wanted or form == "pred":
            raise self.unsupported(f"with a {held}-bit register for a {wanted}-bit value")
        narrow = self.temp(f"{self.view(value, unsigned(home))}.astype({unsigned(form)})")
        return narrow if form == unsigned(form) else f"{narrow}.view({form})"

    def view(self, value: Value, form: str) -> str:
        """The local that holds `value` in `form`, of the same width."""
        if form not in value.forms:
            source = next(iter(value.forms.values()))
            value.forms[form] = self.temp(f"{source}.view({form})")
        return value.forms[form]

    def value_of(self, name: str) -> Value:
        """The current value of a register, loading it on first use."""
        if name not in self.values:
            local = f"r{self.register(name)}"
            self.loaded[name] = local
            self.values[name] = Value({self.home(name): local}, fresh=False)
        return self.values[name]

    def int_form(self, operand: Operand, bits: int) -> str:
        """The integer form of `bits` that an operand is already held in, for sign-agnostic instructions."""
        if isinstance(operand, Reg) and operand.name in self.context.register_index:
            for form in self.value_of(operand.name).forms:
                if form in (f"u{bits}", f"s{bits}"):
                    return form
        return f"u{bits}"

    def register(self, name: str) -> int:
        return self.context.register_index[name]

    def home(self, name: str) -> str:
        return self.context.homes[self.register(name)]

    def declared(self, operand: Operand) -> str:
        """The declared PTX type of a register operand."""
        if isinstance(operand, Reg):
            declared = self.context.function.registers.get(operand.name)
            if declared:
                return declared
        raise self.unsupported("with a destination that is no register")

    def declared_is(self, operand: Operand, type_: str) -> bool:
        return isinstance(operand, Reg) and self.declared(operand) == type_

    # Writing results.

    def define(self, operand: Operand, form: str, expression: str, fresh: bool = True) -> None:
        """Assign a value of `form` to a destination register; a narrower one is zero- or sign-extended."""
        if isinstance(operand, Reg) and operand.name == "_":
            return
        bits = WIDTHS[self.declared(operand)]
        assert isinstance(operand, Reg)
        if width(form) < bits:
            wider = f"{form[0] if form[0] in 'us' else 'u'}{bits}"
            inner = expression if form[0] in "us" else f"{expression}.view({unsigned(form)})"
            expression, form = f"({inner}).astype({wider})", wider
        elif width(form) > bits:
            raise self.unsupported("with a destination that is too narrow")
        if self.guard:
            old = self.use(operand, form)
            expression, fresh = f"select({self.guard}, {expression}, {old})", False
        self.values[operand.name] = Value({form: self.temp(expression)}, fresh)
        self.changed.add(operand.name)

    def alias(self, operand: Operand, value: Value) -> None:
        """Make a destination register share an existing value (a move without a guard)."""
        assert isinstance(operand, Reg)
        value.fresh = False
        self.values[operand.name] = value
        self.changed.add(operand.name)

    # Leaving the block.

    def flush(self, at: int, extra: int = 0) -> list[str]:
        """Lines that store the changed registers that are live just before `at` (and those in the mask `extra`)."""
        context = self.context
        alive = context.live.before(at) | extra
        names = {self.register(name): name for name in self.changed}
        full, kept, partial, stored = [], [], [], set[int]()
        for index in members(alive):
            if index not in names:
                continue
            value = self.values[names[index]]
            local = self.view(value, context.homes[index])
            if value.fresh and id(value) not in stored:
                full.append(f"R[{index}] = {local}")
                partial.append(f"put(R, {index}, {local}, sel)")
            else:
                full.append(f"R[{index}] = {local}.copy()")
                kept.append(f"k{index} = {local}.copy()")
                partial.append(f"put(R, {index}, k{index}, sel)")
            stored.add(id(value))
        if not full:
            return []
        # What was taken from a slice of a register is a view of it, which the first put() may change: keep a copy.
        return ["if sel is None:", *(f"    {x}" for x in full), "else:", *(f"    {x}" for x in (*kept, *partial))]

    def leave(self, at: int, statement: str) -> None:
        """Store what lives on at `at`, then leave the function with `statement`."""
        for line in self.flush(at):
            self.emit(line)
        self.emit(statement)

    def suspend_unless(self, condition: str, resume: int, call: str) -> None:
        """Leave the function at this point unless `condition` holds; `call` tells the engine where to resume."""
        lines = self.flush(resume)  # may need views, which must be emitted outside the branch
        self.emit(f"if not {condition}:")
        for line in lines:
            self.emit("    " + line)
        self.emit(f"    return {call}")

    def source(self, name: str) -> str:
        """The whole function."""
        head = [f"def {name}(E, R, sel):"]
        if self.loaded:
            full = [f"        {local} = R[{self.register(reg)}]" for reg, local in self.loaded.items()]
            part = [f"        {local} = take(R[{self.register(reg)}], sel)" for reg, local in self.loaded.items()]
            head += ["    if sel is None:", *full, "    else:", *part]
        return "\n".join(head + self.lines) + "\n"


def double_to_single_bits(bits: int) -> int:
    """The bits of the single nearest to a double given by its bits."""
    value = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    return int.from_bytes(struct.pack("<f", value), "little")
