"""out = a @ b for row-major a (m x k), b (k x n), out (m x n)."""


def inputs(rand, m, n, k):
    return {"a": rand(m, k), "b": rand(k, n)}


def reference(a, b):
    return a @ b


def flops(m, n, k):
    return 2 * m * n * k
