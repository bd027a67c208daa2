"""Loads, stores, atomics and fences ("Data Movement", "Parallel Synchronization" in the PTX ISA
manual)."""

from __future__ import annotations

from grader.vgpu.emitter import Emitter
from grader.vgpu.handlers import Handler
from grader.vgpu.mods import Mods, operands
from grader.vgpu.ptx import Addr, Imm, Instruction, Operand, Reg, Sym, Vec
from grader.vgpu.types import WIDTHS, form_of, width

_TYPES = (
    "b8",
    "u8",
    "s8",
    "b16",
    "u16",
    "s16",
    "b32",
    "u32",
    "s32",
    "b64",
    "u64",
    "s64",
    "f16",
    "f32",
    "f64",
    "bf16",
)
_STRONG = ("volatile", "relaxed", "acquire", "release", "mmio")
_SCOPES = ("cta", "cluster", "gpu", "sys")
_CACHE = ("ca", "cg", "cs", "cv", "lu", "wb", "wt", "nc", "L1::", "L2::", "level::")
_SPACES = ("global", "shared", "shared::cta", "local", "const", "param", "param::entry", "param::func")


def address(emitter: Emitter, operand: Operand, space: str) -> str:
    """The address expression: 64 bits, or the register's own 32 for shared, local, const and param addresses."""
    if not isinstance(operand, Addr):
        raise emitter.unsupported("with an operand that is no address")
    base = operand.base
    if base is None:
        return emitter.constant(operand.offset, "u64")
    if isinstance(base, Sym):
        return emitter.use(Sym(base.name, base.offset + operand.offset), "u64")
    bits = WIDTHS[emitter.declared(base)]
    if bits not in (32, 64) or (bits == 32 and space in ("global", "generic")):
        raise emitter.unsupported(f"with a {bits}-bit address")
    form = emitter.int_form(base, bits)
    value = emitter.use(base, form)
    if not operand.offset:
        return value
    return f"{value} + {emitter.constant(operand.offset, form)}"


def space_of(mods: Mods) -> str:
    space = mods.take(*_SPACES, default="generic")
    return space.split("::")[0]


def ordering(mods: Mods) -> str:
    """Remove the memory-ordering and scope suffixes; "" for a weak access."""
    mods.take("weak")
    strong = mods.take(*_STRONG)
    mods.take(*_SCOPES)
    return strong


def shape(emitter: Emitter, mods: Mods) -> tuple[str, int]:
    """(type, number of elements)."""
    type_ = mods.type(*_TYPES)
    vector = mods.take("v2", "v4")
    return type_, int(vector[1:]) if vector else 1


def elements(emitter: Emitter, operand: Operand, count: int) -> tuple[Operand, ...]:
    if isinstance(operand, Vec):
        if len(operand.items) != count:
            raise emitter.unsupported("with a vector of the wrong length")
        return operand.items
    if count != 1:
        raise emitter.unsupported("with a vector of the wrong length")
    return (operand,)


def load(emitter: Emitter, ins: Instruction) -> None:
    mods = Mods(emitter, ins)
    mods.drop(*_CACHE)
    type_, count = shape(emitter, mods)
    strong, space = ordering(mods), space_of(mods)
    mods.finish()
    targets = elements(emitter, ins.operands[0], count)
    source = ins.operands[1]
    if space == "param" and isinstance(source, Addr) and isinstance(source.base, Sym):
        offset = emitter.context.param_offsets.get(source.base.name)
        if offset is not None:
            parameter(emitter, targets, type_, offset + source.offset)
            return
    size = WIDTHS[type_] // 8
    where = address(emitter, source, space)
    if strong == "acquire":
        emitter.emit(f"E.memory.observe(sel, {emitter.guard or None})")
    space = _store_space(emitter, source, space)
    lanes = f"sel, {emitter.guard or None}, {emitter.pc}"
    for_cas = any(isinstance(t, Reg) and t.name in emitter.context.cas_expected for t in targets)
    call = f"E.memory.load({space!r}, {where}, {size}, {count}, {lanes}, {bool(strong) or for_cas})"
    result = emitter.temp(call)
    for index, target in enumerate(targets):
        _receive(emitter, target, type_, f"{result}[{index}]")


def _store_space(emitter: Emitter, operand: Operand, space: str) -> str:
    """Outgoing parameters and those of device functions live in the call frame."""
    if space != "param":
        return space
    base = operand.base if isinstance(operand, Addr) else None
    if isinstance(base, Sym) and base.name in emitter.context.frame_symbols:
        return "local"
    return "param" if emitter.context.function.is_entry else "local"


def parameter(emitter: Emitter, targets: tuple[Operand, ...], type_: str, offset: int) -> None:
    """Kernel parameters are the same in every lane."""
    size = WIDTHS[type_] // 8
    for index, target in enumerate(targets):
        _receive(emitter, target, type_, f"E.parameter({offset + index * size}, {size})", fresh=False)


def _receive(emitter: Emitter, target: Operand, type_: str, raw: str, fresh: bool = True) -> None:
    """Define a destination from the unsigned bits that were read, in the form the type asks for."""
    form = form_of(type_)
    if isinstance(target, Reg) and target.name != "_" and type_[0] in "bu" and width(form) >= 16:
        home = emitter.home(target.name)
        form = home if width(home) == width(form) else form
    emitter.define(target, form, raw if form[0] == "u" else f"{raw}.view({form})", fresh)


def store(emitter: Emitter, ins: Instruction) -> None:
    mods = Mods(emitter, ins)
    mods.drop(*_CACHE)
    type_, count = shape(emitter, mods)
    strong, space = ordering(mods), space_of(mods)
    mods.finish()
    form = f"u{WIDTHS[type_]}"
    values = []
    for source in elements(emitter, ins.operands[1], count):
        if isinstance(source, Imm) and not source.floating and type_[0] == "f":
            raise emitter.unsupported("with an integer immediate")
        if isinstance(source, Imm) and source.floating:
            values.append(emitter.use(source, form_of(type_)) + f".view({form})")
        else:
            values.append(emitter.use(source, form))
    if strong == "release":
        emitter.emit(f"E.memory.fence(sel, {emitter.guard or None}, {scope_of(ins)!r})")
    where = address(emitter, ins.operands[0], space)
    space = _store_space(emitter, ins.operands[0], space)
    emitter.emit(
        f"E.memory.store({space!r}, {where}, [{', '.join(values)}], {WIDTHS[type_] // 8}, sel, "
        f"{emitter.guard or None}, {emitter.pc}, {bool(strong)})"
    )


def scope_of(ins: Instruction) -> str:
    return next((mod for mod in ins.mods if mod in _SCOPES), "gpu")


_ATOMIC_OPS = ("add", "min", "max", "inc", "dec", "cas", "exch", "and", "or", "xor")
_ATOMIC_TYPES = ("b16", "u32", "s32", "b32", "u64", "s64", "b64", "f32", "f64", "f16", "f16x2", "bf16", "bf16x2")


def atomic(emitter: Emitter, ins: Instruction) -> None:
    """atom and red; an atom whose old value nobody needs is a red."""
    returns = ins.op == "atom"
    mods = Mods(emitter, ins)
    mods.drop("L2::", "level::")
    type_ = mods.type(*_ATOMIC_TYPES)
    op = mods.take(*_ATOMIC_OPS)
    order = mods.take("relaxed", "acquire", "release", "acq_rel")
    mods.take(*_SCOPES)
    mods.flag("noftz")
    space = space_of(mods)
    mods.finish()
    sources = ins.operands[2:] if returns else ins.operands[1:]
    if not op or space not in ("global", "shared", "generic") or len(sources) < (2 if op == "cas" else 1):
        raise emitter.unsupported()
    form = "u16" if type_ == "f16" else form_of(type_)  # halves are added by half_op, which works on bits
    values = ", ".join(emitter.use(source, form) for source in sources[: 2 if op == "cas" else 1])
    where = address(emitter, ins.operands[1 if returns else 0], space)
    if order in ("release", "acq_rel"):
        emitter.emit(f"E.memory.fence(sel, {emitter.guard or None}, {scope_of(ins)!r})")
    needed = returns and _is_needed(emitter, ins.operands[0])
    call = (
        f"E.memory.atomic({space!r}, {op!r}, {type_!r}, {where}, ({values},), sel, {emitter.guard or None}, "
        f"{emitter.pc}, {needed})"
    )
    if needed:
        emitter.define(ins.operands[0], form, call)
    else:
        emitter.emit(call)
    if order in ("acquire", "acq_rel"):
        emitter.emit(f"E.memory.observe(sel, {emitter.guard or None})")


def _is_needed(emitter: Emitter, target: Operand) -> bool:
    if not isinstance(target, Reg) or target.name == "_":
        return False
    return bool(emitter.context.live.before(emitter.pc + 1) >> emitter.register(target.name) & 1)


def fence(emitter: Emitter, ins: Instruction) -> None:
    mods = Mods(emitter, ins)
    level = mods.take("cta", "gl", "sys", "gpu", "cluster", default="gpu")
    mods.take("sc", "acq_rel", "acquire", "release")
    if mods.take("proxy", "mbarrier_init"):  # orders views of memory that this engine does not tell apart
        mods.drop("async", "alias", "tensormap", "release", "acquire", "generic")
    mods.finish()
    emitter.emit(f"E.memory.fence(sel, {emitter.guard or None}, {level!r})")


def nothing(emitter: Emitter, ins: Instruction) -> None:
    """Hints that change no result: prefetch, discard of nothing, nanosleep."""
    if ins.op == "nanosleep":
        operands(emitter, ins, 1)
        emitter.emit("E.polls += 1")


HANDLERS: dict[str, Handler] = {
    "ld": load,
    "ldu": load,
    "st": store,
    "atom": atomic,
    "red": atomic,
    "membar": fence,
    "fence": fence,
    "prefetch": nothing,
    "prefetchu": nothing,
    "nanosleep": nothing,
    "applypriority": nothing,
    "pmevent": nothing,
    "griddepcontrol": nothing,
}
