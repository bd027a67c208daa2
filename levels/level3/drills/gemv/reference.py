"""out = a @ x for row-major a (m x n); x has n elements, out has m."""


def inputs(rand, m, n):
    return {"a": rand(m, n), "x": rand(n)}


def reference(a, x):
    return a @ x


def flops(m, n):
    return 2 * m * n
