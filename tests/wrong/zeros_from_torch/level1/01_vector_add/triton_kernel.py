"""torch's zero_() is allowed, but no kernel is launched."""


def solve(a, b, out, n):
    out.zero_()
