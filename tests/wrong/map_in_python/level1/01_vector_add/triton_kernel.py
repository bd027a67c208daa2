"""torch calls a Python function for each element."""


def solve(a, b, out, n):
    out.map2_(a, b, lambda o, x, y: x + y)
