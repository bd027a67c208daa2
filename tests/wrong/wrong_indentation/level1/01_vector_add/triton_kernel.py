"""Does not parse: a tab among spaces."""

def solve(a, b, out, n):
    if n:
	pass
