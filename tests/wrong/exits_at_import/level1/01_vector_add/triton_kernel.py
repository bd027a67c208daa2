"""sys.exit(0) while it is imported."""

import sys

sys.exit(0)


def solve(a, b, out, n):
    pass
