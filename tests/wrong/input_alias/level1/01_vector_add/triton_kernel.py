"""Returns its input and writes nothing."""


def solve(a, b, out, n):
    return a
