"""A loop on the host that never ends."""


def solve(a, b, out, n):
    while True:
        pass
