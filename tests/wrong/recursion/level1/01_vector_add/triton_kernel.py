"""Calls itself without end."""


def solve(a, b, out, n):
    solve(a, b, out, n)
