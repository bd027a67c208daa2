"""Triton's exceptions in the learner's terms: lines of their file instead of lines of a function, and what to write
instead. Triton itself is not imported, so what it raises is known by its shape.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import itertools
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

CONTEXT = 3
"""Source lines that are shown before the one with the error."""


@dataclass(frozen=True)
class CompileError:
    """What Triton's compiler says: one line, and the place with what to do about it."""

    summary: str
    detail: str


def compile_error(error: BaseException) -> CompileError | None:
    """Triton's CompilationError, innermost where one kernel calls another; None if `error` is something else."""
    found: Any = None
    cause: BaseException | None = error
    while cause is not None:
        found = cause if hasattr(cause, "node") and hasattr(cause, "error_message") else found
        cause = cause.__cause__
    if found is None:
        return None
    file, first = _place(found, error)
    line = first + getattr(found.node, "lineno", 1) - 1
    said = _said(found)
    text, hint = _indexed(said, found.node) or (said, _hint(said))
    head = f"{file}:{line}: {text}"
    detail = "\n".join([head, *_excerpt(found, first)])
    return CompileError(f"{head}{f'; {hint}' if hint else ''}", f"{detail}\nhint: {hint}" if hint else detail)


def launch_error(error: BaseException) -> tuple[str, str]:
    """(text, hint) for an exception that a launch ended with; no hint where there is nothing to add."""
    text = str(error)
    kernel = _kernel(error)
    if kernel:
        text = text.replace("dynamic_func()", f"{kernel}()")
        for words, hint in _LAUNCH_HINTS.items():
            if words in text:
                return text, hint.format(kernel)
    if isinstance(error, TypeError) and text == "'function' object is not subscriptable":
        return text, "a kernel that is launched with [grid] needs @triton.jit above its def"
    return text, ""


_LAUNCH_HINTS = {
    "object of type 'int' has no len()": "a Triton grid is a tuple, also with one number: {}[(cdiv(n, BLOCK),)](...)",
    "outside of the scope of a kernel": "a launch needs a grid: {}[(cdiv(n, BLOCK),)](...)",
}
"""By what Triton says; {} is the kernel's name."""


def _frames(trace: TracebackType | None) -> Iterator[FrameType]:
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _kernel(error: BaseException) -> str:
    """The name of the kernel whose launch raised `error`, if one did."""
    for frame in reversed(list(_frames(error.__traceback__))):
        if frame.f_globals.get("__name__", "").startswith("triton.runtime"):
            owner = frame.f_locals.get("self")
            name = getattr(getattr(owner, "fn", None), "__name__", "")
            if name:
                return str(name)
    return ""


def _place(error: Any, launch: BaseException) -> tuple[str, int]:
    """The file and the line of the `def` of the function that the compiler was in: one that a caller's module has."""
    for frame in _frames(launch.__traceback__):
        for value in list(frame.f_globals.values()):
            if error.src and getattr(value, "src", None) == error.src:
                lines, start = inspect.getsourcelines(value.fn)
                before = itertools.takewhile(lambda line: not line.lstrip().startswith("def "), lines)
                return Path(value.fn.__code__.co_filename).name, start + len(list(before))
    return "the kernel", 1


def _said(error: Any) -> str:
    """The message without the exception's name around it: 'AttributeError("no attribute")' is 'no attribute'."""
    text = str(error.error_message or error.__cause__ or "does not compile")
    plain = re.fullmatch(r"\w+\(([\"'])(.*)\1,?\)", text, re.DOTALL)
    return (plain[2] if plain else text).strip()


def _excerpt(error: Any, first: int) -> list[str]:
    """Numbered lines up to the one with the error, and a caret."""
    if not error.src or not hasattr(error.node, "lineno"):
        return []
    lines = list(enumerate(error.src.splitlines(), first))[: error.node.lineno]
    return [*(f"{number:>5}  {text}" for number, text in lines[-CONTEXT:]), f"{' ' * (7 + error.node.col_offset)}^"]


def _indexed(said: str, node: ast.AST) -> tuple[str, str] | None:
    """(text, hint) for a pointer that is used like an array, for which Triton's own words mislead."""
    if "_semantic" in said and isinstance(node, ast.Subscript):
        array, call = node, "tl.load({} + {}, mask)"
    elif "__setitem__" in said and isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        array, call = node.targets[0], f"tl.store({{}} + {{}}, {ast.unparse(node.value)}, mask)"
    else:
        return None
    pointer, index = ast.unparse(array.value), ast.unparse(array.slice)
    return f"{pointer}[{index}]: a pointer cannot be indexed", f"use {call.format(pointer, index)}"


def _hint(said: str) -> str:
    if "Boolean value of Tensor" in said:
        return (
            "an `if` wants one value for the whole program; for each element use a mask: "
            "tl.load(pointers, mask=offsets < n), or tl.where(condition, x, y)"
        )
    lost = re.fullmatch(r"module '(triton[\w.]*)' has no attribute '(\w+)'", said)
    near = difflib.get_close_matches(lost[2], dir(sys.modules.get(lost[1])), 1) if lost else []
    return f"did you mean {near[0]}?" if near else ""
