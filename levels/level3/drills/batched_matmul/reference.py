"""out[i] = a[i] @ b[i] for every i < batch: m x k and k x n, row-major, one matrix after another."""


def inputs(rand, batch, m, n, k):
    return {"a": rand(batch, m, k), "b": rand(batch, k, n)}


def reference(a, b):
    return a @ b


def flops(batch, m, n, k):
    return 2 * batch * m * n * k
