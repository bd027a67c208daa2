"""A cursor over tokens, with the errors that a parser raises."""

from __future__ import annotations

from grader.vgpu.errors import PtxError
from grader.vgpu.lexer import Token, tokenize


class TokenStream:
    """Reads the tokens of a PTX text one by one."""

    def __init__(self, text: str) -> None:
        self._tokens = tokenize(text)
        self._position = 0

    def peek(self) -> Token:
        return self._tokens[self._position]

    def next(self) -> Token:
        token = self._tokens[self._position]
        if token.kind == "end":
            raise PtxError(f"PTX line {token.line}: the text ends too early")
        self._position += 1
        return token

    def back(self) -> None:
        self._position -= 1

    def accept(self, text: str) -> bool:
        """Consume the next token if it is `text`."""
        if self._tokens[self._position].text != text:
            return False
        self._position += 1
        return True

    def expect(self, text: str) -> None:
        token = self.next()
        if token.text != text:
            raise self.error(f"expected {text!r}, found {token.text!r}", token)

    def expect_kind(self, kind: str) -> Token:
        token = self.next()
        if token.kind != kind:
            raise self.error(f"expected a {kind}, found {token.text!r}", token)
        return token

    def integer(self) -> int:
        sign = -1 if self.accept("-") else 1
        token = self.expect_kind("number")
        try:
            return sign * int(token.text.rstrip("U"), 0 if token.text[:2] in ("0x", "0X") else 10)
        except ValueError:
            raise self.error(f"expected an integer, found {token.text!r}", token) from None

    def skip_past(self, text: str) -> None:
        while self.next().text != text:
            pass

    def error(self, message: str, token: Token | None = None) -> PtxError:
        return PtxError(f"PTX line {(token or self.peek()).line}: {message}")
