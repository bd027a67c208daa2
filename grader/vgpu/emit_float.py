"""Floating-point instructions ("Floating-Point", "Half Precision" in the PTX ISA manual), and the opcodes that they
share with integers."""

from __future__ import annotations

from grader.vgpu.emit_integer import INTEGER_ARITHMETIC, is_integer
from grader.vgpu.emitter import Emitter
from grader.vgpu.handlers import Handler
from grader.vgpu.mods import Mods, operands
from grader.vgpu.ptx import Instruction
from grader.vgpu.types import form_of

HALVES = ("f16", "bf16", "f16x2", "bf16x2")
SINGLE_DOUBLE = ("f32", "f64")
_COUNT = {"add": 2, "sub": 2, "mul": 2, "div": 2, "fma": 3, "mad": 3, "min": 2, "max": 2, "copysign": 2}


def arithmetic(emitter: Emitter, ins: Instruction) -> None:
    """add, sub, mul, fma, mad, div, min, max, abs, neg and the functions of one argument."""
    operands(emitter, ins, 1 + _COUNT.get(ins.op, 1))
    mods = Mods(emitter, ins)
    type_ = mods.type(*SINGLE_DOUBLE, *HALVES)
    if type_ in HALVES:
        half(emitter, ins, mods, type_)
        return
    rounding = mods.take("rn", "rz", "rm", "rp")
    flush, clamp = mods.flag("ftz"), mods.flag("sat")
    mods.drop("approx", "full")
    sources = [emitter.use(operand, type_) for operand in ins.operands[1:]]
    if flush and ins.op not in ("abs", "neg"):
        sources = [emitter.temp(f"ftz({source})") for source in sources]
    gross = flush and type_ == "f64"  # rcp.approx.ftz.f64, rsqrt.approx.ftz.f64
    if gross:
        sources = [emitter.temp(f"upper_word({source})") for source in sources]
    expression = formula(emitter, ins.op, type_, rounding[1:], sources, mods)
    mods.finish()
    if flush:
        expression = f"upper_word(ftz({expression}))" if gross else f"ftz({expression})"
    if clamp:
        expression = f"saturate({expression})"
    emitter.define(ins.operands[0], type_, expression)


_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
_FUNCTIONS = {
    "rsqrt": "rsqrt",
    "ex2": "ex2",
    "lg2": "lg2",
    "sin": "sine",
    "cos": "cosine",
    "tanh": "tanh",
    "abs": "abs",
    "rcp": "rcp",
    "sqrt": "sqrt",
}


def formula(emitter: Emitter, op: str, type_: str, mode: str, sources: list[str], mods: Mods) -> str:
    """The expression of an f32 or f64 instruction; `mode` is "n", "z", "m", "p" or "" for the default."""
    if mode in ("z", "m", "p"):
        return directed(emitter, op, mode, sources)
    if op in _SYMBOLS:
        return f"{sources[0]} {_SYMBOLS[op]} {sources[1]}"
    if op in ("fma", "mad"):
        return f"fma_{type_}({', '.join(sources)})"
    if op in ("min", "max"):
        return extremum(emitter, op, sources, mods)
    if op == "neg":
        return f"-{sources[0]}"
    if op == "copysign":
        return f"copysign({sources[1]}, {sources[0]})"
    return f"{_FUNCTIONS[op]}({sources[0]})"


def directed(emitter: Emitter, op: str, mode: str, sources: list[str]) -> str:
    if op == "sub":
        op, sources = "add", [sources[0], f"-{sources[1]}"]
    if op == "rcp":
        one = emitter.temp(f"{sources[0]}.dtype.type(1)")
        op, sources = "div", [one, *sources]
    name = {"mad": "fma"}.get(op, op)
    if name not in ("add", "mul", "fma", "div", "sqrt"):
        raise emitter.unsupported()
    return f"{name}_directed({', '.join(sources)}, {mode!r})"


def extremum(emitter: Emitter, op: str, sources: list[str], mods: Mods) -> str:
    if len(sources) != 2:
        raise emitter.unsupported()
    propagate, product_sign = mods.flag("NaN"), mods.flag("xorsign")
    mods.drop("abs")
    a, b = sources
    raw = emitter.temp(f"float_{op}(abs({a}), abs({b}))" if product_sign else f"float_{op}({a}, {b})")
    if propagate:
        raw = emitter.temp(f"nan_if_nan({raw}, {a}, {b})")
    return f"xorsign({raw}, {a}, {b})" if product_sign else raw


def half(emitter: Emitter, ins: Instruction, mods: Mods, type_: str) -> None:
    form = "u32" if type_.endswith("x2") else "u16"
    if mods.take("rz", "rm", "rp"):
        raise emitter.unsupported()
    mods.drop("rn", "approx")
    finish, flush = mods.take("sat", "relu"), mods.flag("ftz")
    propagate = mods.flag("NaN")
    mods.finish()
    sources = [emitter.use(operand, form) for operand in ins.operands[1:]]
    if ins.op in ("neg", "abs"):
        emitter.define(ins.operands[0], form, f"half_sign({ins.op!r}, {type_!r}, {flush}, {sources[0]})")
        return
    if ins.op not in ("add", "sub", "mul", "fma", "min", "max", "ex2", "tanh"):
        raise emitter.unsupported()
    op = ins.op + ("_nan" if propagate else "")
    emitter.define(ins.operands[0], form, f"half_op({op!r}, {type_!r}, {finish!r}, {flush}, {', '.join(sources)})")


def testp(emitter: Emitter, ins: Instruction) -> None:
    operands(emitter, ins, 2)
    mods = Mods(emitter, ins)
    type_ = mods.type(*SINGLE_DOUBLE)
    kind = mods.take("finite", "infinite", "number", "notanumber", "normal", "subnormal")
    mods.finish()
    emitter.define(ins.operands[0], "pred", f"testp({kind!r}, {emitter.use(ins.operands[1], form_of(type_))})")


def either(emitter: Emitter, ins: Instruction) -> None:
    """Opcodes that integers and floating-point numbers share."""
    handler = INTEGER_ARITHMETIC[ins.op] if is_integer(ins) else arithmetic
    handler(emitter, ins)


HANDLERS: dict[str, Handler] = {
    **{op: either for op in INTEGER_ARITHMETIC},
    **{op: arithmetic for op in ("fma", "copysign", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh")},
    "testp": testp,
}
