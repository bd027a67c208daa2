"""`scratch` of exercise.toml: the most bytes that solve() may allocate beyond its arguments, a formula of sizes."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

from grader.exercise import Case

Operation = Callable[[int, int], int]

_OPERATIONS: Mapping[type[ast.operator], Operation] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


def allowed(formula: str, case: Case) -> int:
    """The value of "8 * batch * seq + 1024" for a case. Raises ValueError with what is wrong with the formula."""
    try:
        return _value(ast.parse(formula, mode="eval").body, case)
    except SyntaxError:
        raise ValueError(f'{formula!r} is not a formula; it looks like "8 * batch * seq"') from None


def excess(formula: str, case: Case, allocated: int, largest: tuple[int, ...]) -> str | None:
    """The sentence about `allocated` bytes, if that is too much; `largest` is the largest tensor's shape."""
    allowance = allowed(formula, case)
    if allocated <= allowance:
        return None
    sentence = f"solve() allocated {allocated:,} bytes, the task allows {allowance:,} ({formula})"
    if largest:
        sentence += f"; the largest is a tensor of shape {largest}"
    if len(largest) > 1 and largest[-1] == largest[-2]:
        sentence += ": an S x S matrix?"
    return sentence


def _value(node: ast.expr, case: Case) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name):
        if not isinstance(case.get(node.id), int):
            raise ValueError(f"`{node.id}` is not a size of the cases ({', '.join(case)})")
        return int(case[node.id])
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_value(node.left, case), _value(node.right, case))
    raise ValueError(f"`{ast.unparse(node)}`: a formula is made of whole numbers, sizes, + - * // and brackets")
