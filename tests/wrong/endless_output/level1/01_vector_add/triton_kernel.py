"""Prints for ever."""


def solve(a, b, out, n):
    while True:
        print("x" * 65536)
