"""Declarations of variables and parameters, with their initial values."""

from __future__ import annotations

from grader.vgpu.operands import parse_immediate
from grader.vgpu.ptx import Imm, Sym, Variable
from grader.vgpu.tokens import TokenStream

SIZES = {
    **{f"{kind}{bits}": bits // 8 for kind in "bus" for bits in (8, 16, 32, 64)},
    "b128": 16,
    "f16": 2,
    "f16x2": 4,
    "bf16": 2,
    "bf16x2": 4,
    "f32": 4,
    "f64": 8,
    "pred": 1,
}
_SPACES = ("global", "const", "shared", "local")
_LIMIT = 1 << 34  # bytes; larger than any memory, so a bigger declaration is a mistake in the text


def parse_variable(tokens: TokenStream, space: str) -> list[Variable]:
    """What follows a state space: `.align 4 .b8 name[16] = {...}`; several names may share one type."""
    align, type_, vector, pointer_space = 0, "", 1, ""
    while tokens.peek().kind == "directive":
        word = tokens.next().text[1:]
        if word == "align":
            align = align or tokens.integer() if pointer_space else tokens.integer()
        elif word in ("v2", "v4"):
            vector = int(word[1])
        elif word == "ptr":
            pointer_space = "generic"
        elif word in _SPACES and pointer_space:
            pointer_space = word
        elif word in SIZES:
            type_ = word
        elif word not in ("attribute", "managed", "unified"):
            raise tokens.error(f"unknown type .{word}")
    if not type_:
        raise tokens.error(f"a .{space} declaration without a type")
    variables = [_declarator(tokens, space, type_, align, vector, pointer_space)]
    while space != "param" and tokens.accept(","):
        variables.append(_declarator(tokens, space, type_, align, vector, pointer_space))
    return variables


def _declarator(tokens: TokenStream, space: str, type_: str, align: int, vector: int, pointer_space: str) -> Variable:
    element = SIZES[type_] * vector
    variable = Variable(space, tokens.expect_kind("word").text, type_, 0, element, pointer_space=pointer_space)
    variable.align = element if pointer_space or not align else align
    while tokens.accept("["):
        variable.size *= 0 if tokens.peek().text == "]" else tokens.integer()
        tokens.expect("]")
    if not 0 <= variable.size < _LIMIT:
        raise tokens.error(f"{variable.name} has an impossible size")
    if tokens.accept("="):
        values = _values(tokens)
        variable.size = variable.size or len(values) * SIZES[type_]
        _encode(tokens, variable, values, SIZES[type_])
    return variable


def _values(tokens: TokenStream) -> list[Imm | tuple[Sym, bool]]:
    if not tokens.accept("{"):
        return [_value(tokens)]
    values: list[Imm | tuple[Sym, bool]] = []
    while not tokens.accept("}"):
        values += _values(tokens) if tokens.peek().text == "{" else [_value(tokens)]
        tokens.accept(",")
    return values


def _value(tokens: TokenStream) -> Imm | tuple[Sym, bool]:
    if tokens.peek().kind != "word":
        return parse_immediate(tokens)
    name = tokens.next().text
    generic = name == "generic" and tokens.accept("(")
    if generic:
        name = tokens.expect_kind("word").text
        tokens.expect(")")
    return Sym(name, tokens.integer() if tokens.accept("+") else 0), generic


def _encode(tokens: TokenStream, variable: Variable, values: list[Imm | tuple[Sym, bool]], element: int) -> None:
    if len(values) * element > variable.size:
        raise tokens.error(f"{variable.name} has more initial values than elements")
    data = bytearray(variable.size)
    for index, value in enumerate(values):
        if isinstance(value, Imm):
            bits = value.value & ((1 << 8 * element) - 1)
            data[index * element : (index + 1) * element] = bits.to_bytes(element, "little")
        else:
            variable.relocations.append((index * element, *value))
    variable.init = bytes(data)
