"""PTX text to tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

from grader.vgpu.errors import PtxError


class Token(NamedTuple):
    """`kind` is one of the group names of the pattern below; `line` counts from 1 in the PTX text."""

    kind: str
    text: str
    line: int


_PATTERN = re.compile(
    r"""
      (?P<newline>\n)
    | (?P<space>[ \t\r\f\v]+)
    | (?P<loc>\.loc\b[^\n]*)
    | (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<section>\.section\b[^{;]*\{[^}]*\})
    | (?P<string>"(?:[^"\\\n]|\\.)*")
    | (?P<word>[%$A-Za-z_][\w$]*(?:(?:\.|::)[\w$]+)*)
    | (?P<directive>\.[A-Za-z_]\w*(?:::\w+)*)
    | (?P<number>0[fF][0-9a-fA-F]{8}\b|0[dD][0-9a-fA-F]{16}\b|0[xX][0-9a-fA-F]+U?\b|\d+\.\d*(?:[eE][-+]?\d+)?|\d+U?)
    | (?P<punct>[{}()\[\],;:|@!<>+\-=*])
    """,
    re.VERBOSE | re.DOTALL,
)


def tokenize(text: str) -> list[Token]:
    """The tokens of `text`, ending with an "end" token. Raises PtxError on a character PTX does not have."""
    tokens: list[Token] = []
    position, line = 0, 1
    while position < len(text):
        found = _PATTERN.match(text, position)
        if found is None:
            raise PtxError(f"PTX line {line}: unexpected character {text[position]!r}")
        kind, spelling = str(found.lastgroup), found[0]
        if kind == "newline":
            line += 1
        elif kind in ("comment", "section"):
            line += spelling.count("\n")
        elif kind != "space":
            tokens.append(Token(kind, spelling, line))
        position = found.end()
    tokens.append(Token("end", "", line))
    return tokens
