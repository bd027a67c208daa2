"""Does not parse."""

def solve(a, b, out, n)
    pass
