"""Imports what is not installed."""

import no_such_package


def solve(a, b, out, n):
    pass
