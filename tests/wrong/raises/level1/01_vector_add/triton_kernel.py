"""Raises an exception of its own."""


def solve(a, b, out, n):
    raise ValueError("not today")
