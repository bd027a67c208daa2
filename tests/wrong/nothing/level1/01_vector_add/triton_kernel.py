"""Launches nothing, and has no TODO to be excused by."""


def solve(a, b, out, n):
    pass
