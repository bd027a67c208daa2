"""Moves and conversions: mov, cvt, cvta, isspacep ("Data Movement and Conversion" in the PTX ISA manual)."""

from __future__ import annotations

from grader.vgpu.emitter import Emitter
from grader.vgpu.handlers import Handler
from grader.vgpu.layout import WINDOW_BITS, generic_base
from grader.vgpu.mods import Mods, operands
from grader.vgpu.ptx import Imm, Instruction, Reg, Sym, Vec
from grader.vgpu.types import WIDTHS, form_of, is_float, width

_PLAIN = ("b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64", "f16", "bf16", "pred", "b128")


def mov(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 2)
    mods = Mods(emitter, ins)
    type_ = mods.type(*_PLAIN)
    mods.finish()
    d, a = ins.operands
    if isinstance(d, Vec) or isinstance(a, Vec):
        move_vector(emitter, ins, type_)
        return
    form = form_of(type_)
    if isinstance(a, Reg) and a.name.startswith("%") and not _is_special(emitter, a) and not emitter.guard:
        value = emitter.value_of(a.name)
        if WIDTHS[emitter.declared(d)] == width(form) == width(next(iter(value.forms))):
            emitter.alias(d, value)
            return
    if isinstance(a, Imm) and not a.floating and is_float(form):
        form = f"u{width(form)}"
    emitter.define(d, form, emitter.use(a, form), fresh=isinstance(a, Imm | Sym))


def _is_special(emitter: Emitter, reg: Reg) -> bool:
    return reg.name not in emitter.context.register_index


def move_vector(emitter: Emitter, ins: Instruction, type_: str) -> None:
    """Pack registers into a wider one, or unpack it."""
    d, a = ins.operands
    bits = WIDTHS[type_]
    if bits > 64:
        raise emitter.unsupported()
    whole = f"u{bits}"
    if isinstance(a, Vec) and not isinstance(d, Vec):
        part = f"u{bits // len(a.items)}"
        if part not in ("u8", "u16", "u32"):
            raise emitter.unsupported()
        terms = []
        for index, item in enumerate(a.items):
            term = f"{emitter.use(item, part)}.astype({whole})"
            shift = emitter.constant(index * width(part), whole)
            terms.append(f"({term} << {shift})" if index else term)
        emitter.define(d, whole, " | ".join(terms))
        return
    if not isinstance(d, Vec) or isinstance(a, Vec):
        raise emitter.unsupported("between vectors")
    part = f"u{bits // len(d.items)}"
    if part not in ("u8", "u16", "u32"):
        raise emitter.unsupported()
    source = emitter.temp(emitter.use(a, whole))
    for index, item in enumerate(d.items):
        shift = emitter.constant(index * width(part), whole)
        emitter.define(item, part, f"({source} >> {shift}).astype({part})")


_NUMBERS = ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "f16", "bf16", "f32", "f64")
_PACKED = ("f16x2", "bf16x2", "e4m3x2", "e5m2x2", "tf32")
_MODES = ("rn", "rna", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi")


def cvt(emitter: Emitter, ins: Instruction) -> None:
    mods = Mods(emitter, ins)
    if mods.flag("pack"):
        saturated_pair(emitter, ins, mods)
        return
    source = mods.type(*_NUMBERS, *_PACKED)
    target = mods.type(*_NUMBERS, *_PACKED)
    mode = mods.take(*_MODES)[1:]
    flush, saturate = mods.flag("ftz"), mods.flag("sat")
    clamp = mods.take("relu", "satfinite")
    if clamp and mods.take("relu", "satfinite"):
        raise emitter.unsupported()
    mods.finish()
    if target in _PACKED or source in _PACKED:
        packed(emitter, ins, source, target, mode, clamp)
        return
    operands(emitter, ins, 2)
    value = emitter.use(ins.operands[1], form_of(source))
    if source in ("f16", "bf16"):
        value = emitter.temp(f"decode({emitter.use(ins.operands[1], 'u16')}, {source!r})")
    if flush and source == "f32" and target != "f16":
        # The ISA flushes subnormal singles on the way to f16 too; hardware's .rm and .rp make its smallest number.
        value = emitter.temp(f"ftz({value})")
    if target == "bf16" and mode in ("m", "p"):
        raise emitter.unsupported()
    expression = conversion(source, target, mode, value, saturate, clamp)
    if flush and target == "f32":
        expression = f"ftz({expression})"
    form = "u16" if target in ("f16", "bf16") else target
    emitter.define(ins.operands[0], form, expression)


def conversion(source: str, target: str, mode: str, value: str, saturate: bool, clamp: str) -> str:
    """The expression for a conversion between scalar types; `value` is in single precision if the source is half."""
    from_float, to_float = is_float(source) or source == "bf16", is_float(target) or target == "bf16"
    if not from_float and not to_float:
        return f"int_to_int({value}, {target!r}, True)" if saturate else f"{value}.astype({target})"
    if not to_float:
        return f"float_to_int({value}, {target!r}, {mode!r})"
    if not from_float:
        return f"int_to_float({value}, {target!r}, {mode!r})"
    if mode.endswith("i") and mode:
        value = f"float_to_integral({value}, {mode!r})"
    if saturate:
        value = f"saturate({value})"
    if clamp == "relu":
        value = f"relu({value})"
    simple = target in DTYPE_TARGETS and mode in ("", "n") or mode.endswith("i") and target in DTYPE_TARGETS
    return f"({value}).astype({target})" if simple else f"float_to_float({value}, {target!r}, {mode!r})"


DTYPE_TARGETS = ("f32", "f64")


def packed(emitter: Emitter, ins: Instruction, source: str, target: str, mode: str, clamp: str) -> None:
    d = ins.operands[0]
    form = form_of(target)
    if target == "tf32" and source == "f32" and len(ins.operands) == 2:
        emitter.define(d, "u32", f"to_tf32({emitter.use(ins.operands[1], 'f32')}, {mode!r})")
    elif source == "f32" and len(ins.operands) == 3:
        high, low = (emitter.use(operand, "f32") for operand in ins.operands[1:])
        emitter.define(d, form, f"pack_two({high}, {low}, {target!r}, {mode!r}, {clamp!r})")
    elif source in ("e4m3x2", "e5m2x2") and target == "f16x2" and not clamp:
        emitter.define(d, form, f"fp8_pair_to_f16x2({emitter.use(ins.operands[1], 'u16')}, {source!r})")
    elif source == "f16x2" and target in ("e4m3x2", "e5m2x2") and clamp != "relu":
        emitter.define(d, form, f"f16x2_to_fp8_pair({emitter.use(ins.operands[1], 'u32')}, {target!r})")
    else:
        raise emitter.unsupported()


def saturated_pair(emitter: Emitter, ins: Instruction, mods: Mods) -> None:
    """cvt.pack.sat: two integers saturated to narrow ones and packed."""
    third = mods.flag("b32")
    operands(emitter, ins, 4 if third else 3)
    mods.type("s32")
    target = mods.type("s16", "u16", *(("s8", "u8", "s4", "u4", "s2", "u2") if third else ()))
    if not mods.flag("sat"):
        raise emitter.unsupported()
    mods.finish()
    high, low = (emitter.use(operand, "s32") for operand in ins.operands[1:3])
    above = emitter.use(ins.operands[3], "u32") if third else "None"
    emitter.define(ins.operands[0], "u32", f"pack_saturated({high}, {low}, {target!r}, {above})")


def cvta(emitter: Emitter, ins: Instruction) -> None:
    """Between an address in a state space and a generic address."""
    operands(emitter, ins, 2)
    mods = Mods(emitter, ins)
    form = mods.type("u32", "u64")
    to_space = mods.flag("to")
    space = mods.take("global", "shared", "local", "const", "param", "shared::cta", "param::entry").split("::")[0]
    mods.finish()
    if not space or form == "u32":
        raise emitter.unsupported()
    form = emitter.int_form(ins.operands[1], 64)
    value = emitter.use(ins.operands[1], form)
    base = generic_base(space)
    if base == 0:
        emitter.define(ins.operands[0], form, value, fresh=False)
    else:
        emitter.define(ins.operands[0], form, f"{value} {'-' if to_space else '+'} {emitter.constant(base, form)}")


def isspacep(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 2)
    mods = Mods(emitter, ins)
    space = mods.take("global", "shared", "local", "const", "param", "shared::cta").split("::")[0]
    mods.finish()
    if not space:
        raise emitter.unsupported()
    value = emitter.use(ins.operands[1], "u64")
    window = f"({value} >> {emitter.constant(WINDOW_BITS, 'u64')})"
    own = generic_base(space) >> WINDOW_BITS
    test = f"{window} == {emitter.constant(own, 'u64')}" if own else f"{window} >= {emitter.constant(8, 'u64')}"
    emitter.define(ins.operands[0], "pred", f"({test})")


def constant_policy(emitter: Emitter, ins: Instruction) -> None:
    """createpolicy: cache hints change no result."""
    emitter.define(ins.operands[0], "u64", emitter.constant(0, "u64"))


def find_nth_set(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 4)
    mods = Mods(emitter, ins)
    mods.type("b32")
    mods.finish()
    mask, base, offset = ins.operands[1:]
    arguments = f"{emitter.use(mask, 'u32')}, {emitter.use(base, 'u32')}, {emitter.use(offset, 's32')}"
    emitter.define(ins.operands[0], "u32", f"fns({arguments})")


HANDLERS: dict[str, Handler] = {
    "mov": mov,
    "cvt": cvt,
    "cvta": cvta,
    "isspacep": isspacep,
    "createpolicy": constant_policy,
    "fns": find_nth_set,
}
