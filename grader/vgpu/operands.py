"""Operands of instructions: registers, immediates, addresses, vectors, pairs."""

from __future__ import annotations

import struct

from grader.vgpu.ptx import Addr, Imm, Not, Operand, Pair, Reg, Sym, Vec
from grader.vgpu.tokens import TokenStream


def parse_operand(tokens: TokenStream) -> Operand:
    """One operand. A name comes back as Reg; scopes.py tells registers from symbols."""
    operand = _simple(tokens)
    if tokens.accept("|"):
        return Pair(operand, _simple(tokens))
    return operand


def _simple(tokens: TokenStream) -> Operand:
    token = tokens.peek()
    if token.text == "[":
        tokens.next()
        return _address(tokens)
    if token.text in ("{", "("):
        tokens.next()
        return _list(tokens, "}" if token.text == "{" else ")")
    if token.text == "!":
        tokens.next()
        return Not(Reg(tokens.expect_kind("word").text))
    if token.kind == "number" or token.text == "-":
        return parse_immediate(tokens)
    name = tokens.expect_kind("word").text
    if tokens.accept("+"):
        return Sym(name, tokens.integer())
    return Reg(name)


def _address(tokens: TokenStream) -> Operand:
    base: Reg | Sym | None = None
    offset = 0
    if tokens.peek().kind == "word":
        base = Reg(tokens.next().text)
        if tokens.accept("+") or tokens.peek().text == "-":
            offset = tokens.integer()
    else:
        offset = tokens.integer()
    if tokens.accept(","):  # tensor coordinates, as in [map, {x, y}]: kept so that the opcode can be named
        items: list[Operand] = [Addr(base, offset), parse_operand(tokens)]
        tokens.expect("]")
        return Vec(tuple(items))
    tokens.expect("]")
    return Addr(base, offset)


def _list(tokens: TokenStream, close: str) -> Vec:
    items: list[Operand] = []
    while not tokens.accept(close):
        items.append(parse_operand(tokens))
        if not tokens.accept(",") and tokens.peek().text != close:
            raise tokens.error(f"expected ',' or {close!r}, found {tokens.peek().text!r}")
    return Vec(tuple(items))


def parse_immediate(tokens: TokenStream) -> Imm:
    """An integer, a decimal floating number (a double), or the bits of one: 0f3F800000, 0d3FF0000000000000."""
    negative = tokens.accept("-")
    if tokens.peek().kind != "number":
        raise tokens.error(f"expected a number, found {tokens.peek().text!r}")
    text = tokens.peek().text
    if text[:2] in ("0f", "0F", "0d", "0D"):
        tokens.next()
        single = text[1] in "fF"
        return Imm(int(text[2:], 16) ^ (negative << (31 if single else 63)), "f32" if single else "f64")
    if "." in text:
        tokens.next()
        value = -float(text) if negative else float(text)
        return Imm(int.from_bytes(struct.pack("<d", value), "little"), "f64")
    value_int = tokens.integer()
    return Imm(-value_int if negative else value_int)
