"""os.abort()."""

import os


def solve(a, b, out, n):
    os.abort()
