"""PTX text to a Module. Grammar: "Directives" and "Instruction Statements" of NVIDIA's PTX ISA manual.

The parser knows the shape of the language but not the instruction set: which opcodes and suffixes exist is the
code generator's business, so that an unknown one is reported by name (errors.Unsupported), never guessed.
"""

from __future__ import annotations

from grader.vgpu.declarations import SIZES, parse_variable
from grader.vgpu.errors import PtxError
from grader.vgpu.locations import LineTable
from grader.vgpu.operands import parse_operand
from grader.vgpu.ptx import Function, Guard, Instruction, Module, Operand, Reg, Variable
from grader.vgpu.scopes import Scopes
from grader.vgpu.tokens import TokenStream

_LINKAGE = {".visible", ".weak", ".extern", ".common"}
_PERFORMANCE = {
    ".maxntid",
    ".reqntid",
    ".minnctapersm",
    ".maxnreg",
    ".maxnctapersm",
    ".reqnctapercluster",
    ".maxclusterrank",
    ".explicitcluster",
    ".noreturn",
}
_SPACES = {".global", ".const", ".shared", ".local", ".param"}


def parse(text: str) -> Module:
    """Parse a whole PTX text. Raises PtxError."""
    return _Parser(text).module()


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = TokenStream(text)
        self.lines = LineTable()
        self.result = Module("", {}, {}, [])

    def module(self) -> Module:
        tokens = self.tokens
        while tokens.peek().kind != "end":
            self._top_level()
        self.result.locations = self.lines.resolve()
        return self.result

    def _top_level(self) -> None:
        tokens = self.tokens
        token = tokens.next()
        while token.text in _LINKAGE:
            token = tokens.next()
        if token.text in (".entry", ".func"):
            self._function(is_entry=token.text == ".entry")
        elif token.text in _SPACES:
            self.result.variables |= {v.name: v for v in parse_variable(tokens, token.text[1:])}
            tokens.expect(";")
        elif token.text == ".file":
            number = tokens.integer()
            self.lines.files[number] = tokens.expect_kind("string").text[1:-1]
            self._skip_list()
        elif token.text == ".target":
            self.result.target = tokens.next().text
            self._skip_list()
        elif token.text in (".version", ".address_size"):
            tokens.expect_kind("number")
        elif token.kind == "loc":
            self.lines.add(token.text)
        elif token.text == ".pragma":
            tokens.skip_past(";")
        else:
            raise tokens.error(f"unexpected {token.text!r} outside a function", token)

    def _skip_list(self) -> None:
        while self.tokens.accept(","):
            self.tokens.next()

    def _function(self, is_entry: bool) -> None:
        tokens = self.tokens
        returns = [] if is_entry else self._parameters()
        name = tokens.expect_kind("word").text
        function = Function(name, is_entry, self._parameters(), returns)
        while tokens.peek().text in _PERFORMANCE:
            directive = tokens.next().text
            numbers = self._numbers()
            if directive == ".reqntid":
                function.reqntid = numbers
        if tokens.accept(";"):
            self.result.functions.setdefault(name, function)
            return
        self.lines.start_function()
        _Body(self, function).parse()
        self.result.functions[name] = function

    def _numbers(self) -> tuple[int, ...]:
        numbers = []
        while self.tokens.peek().kind == "number":
            numbers.append(self.tokens.integer())
            self.tokens.accept(",")
        return tuple(numbers)

    def _parameters(self) -> list[Variable]:
        tokens = self.tokens
        params: list[Variable] = []
        if not tokens.accept("("):
            return params
        while not tokens.accept(")"):
            space = tokens.expect_kind("directive").text
            if space not in (".param", ".reg"):
                raise tokens.error(f"unexpected {space!r} in a parameter list")
            params += parse_variable(tokens, "param")
            tokens.accept(",")
        return params


class _Body:
    """The statements between a function's braces."""

    def __init__(self, parser: _Parser, function: Function) -> None:
        self.tokens = parser.tokens
        self.lines = parser.lines
        self.function = function
        self.scopes = Scopes(function)
        self.loc = parser.lines.unknown()
        self.code: list[Instruction] = []
        self.label = ""  # the last one seen, which names a table of branch targets

    def parse(self) -> None:
        tokens = self.tokens
        tokens.expect("{")
        while self.scopes.depth:
            self._statement()
        self.function.body = self.code
        for label, index in self.function.labels.items():
            if index > len(self.code):
                raise PtxError(f"label {label} is outside its function")

    def _statement(self) -> None:
        tokens = self.tokens
        token = tokens.next()
        if token.text == "{":
            self.scopes.enter()
        elif token.text == "}":
            self.scopes.leave()
        elif token.kind == "loc":
            index = self.lines.add(token.text)
            self.loc = self.loc if index is None else index
        elif token.kind == "directive":
            self._directive(token.text)
        elif token.text == ";":
            pass
        elif token.kind == "word" and tokens.peek().text == ":":
            tokens.next()
            self.label = self.scopes.label(token.text)
            self.function.labels[self.label] = len(self.code)
        else:
            tokens.back()
            self._instruction()

    def _directive(self, name: str) -> None:
        tokens = self.tokens
        if name == ".reg":
            self._registers()
        elif name in _SPACES:
            for variable in parse_variable(tokens, name[1:]):
                self.scopes.declare_variable(variable)
            tokens.expect(";")
        elif name == ".branchtargets":
            self.function.tables[self.label] = self._targets()
        elif name in (".pragma", ".callprototype", ".calltargets"):
            tokens.skip_past(";")
        else:
            raise tokens.error(f"unexpected directive {name!r} in a function")

    def _targets(self) -> list[str]:
        names = []
        while not self.tokens.accept(";"):
            names.append(self.tokens.expect_kind("word").text)
            self.tokens.accept(",")
        return names

    def _registers(self) -> None:
        tokens = self.tokens
        type_ = tokens.expect_kind("directive").text[1:]
        if type_ not in SIZES:
            raise tokens.error(f"unknown register type .{type_}")
        while not tokens.accept(";"):
            name = tokens.expect_kind("word").text
            count = None
            if tokens.accept("<"):
                count = tokens.integer()
                tokens.expect(">")
            self.scopes.declare_registers(name, type_, count)
            tokens.accept(",")

    def _instruction(self) -> None:
        tokens = self.tokens
        guard = None
        if tokens.accept("@"):
            negated = tokens.accept("!")
            operand = self.scopes.resolve(Reg(tokens.expect_kind("word").text))
            if not isinstance(operand, Reg):
                raise tokens.error("the guard of an instruction must be a predicate register")
            guard = Guard(operand, negated)
        op, *mods = tokens.expect_kind("word").text.split(".")
        operands: list[Operand] = []
        while not tokens.accept(";"):
            operands.append(self.scopes.resolve(parse_operand(tokens)))
            if not tokens.accept(",") and tokens.peek().text != ";":
                raise tokens.error(f"expected ',' or ';', found {tokens.peek().text!r}")
        self.code.append(Instruction(op, tuple(mods), tuple(operands), guard, self.loc))
