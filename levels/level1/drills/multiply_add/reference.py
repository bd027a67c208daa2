"""out = a * b + c, element by element."""


def inputs(rand, n):
    return {"a": rand(n), "b": rand(n), "c": rand(n)}


def reference(a, b, c):
    return a * b + c


def flops(n):
    return 2 * n
