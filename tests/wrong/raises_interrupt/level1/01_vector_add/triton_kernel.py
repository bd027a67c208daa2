"""Raises KeyboardInterrupt."""


def solve(a, b, out, n):
    raise KeyboardInterrupt
