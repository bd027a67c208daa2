"""Python does the work, element by element."""


def solve(a, b, out, n):
    for i, (x, y) in enumerate(zip(a.tolist(), b.tolist())):
        out[i] = x + y
