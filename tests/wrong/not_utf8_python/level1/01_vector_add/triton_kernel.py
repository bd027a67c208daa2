"""Latin-1: café."""


def solve(a, b, out, n):
    pass
