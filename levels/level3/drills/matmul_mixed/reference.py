"""out = a @ b for row-major matrices in half precision: sums in float32, rounded once at the end."""


def inputs(rand, m, n, k):
    return {"a": rand(m, k), "b": rand(k, n)}


def reference(a, b):
    return a @ b


def flops(m, n, k):
    return 2 * m * n * k
