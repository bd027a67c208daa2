"""A loop that never ends, while it is imported."""

while True:
    pass


def solve(a, b, out, n):
    pass
