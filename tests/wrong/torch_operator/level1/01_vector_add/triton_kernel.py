"""torch does the work, through Python's operators."""


def solve(a, b, out, n):
    out[:] = a + b
