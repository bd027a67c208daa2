"""out[i] = x[i + offset] for i < n; x has n + offset elements."""


def inputs(rand, n, offset):
    return {"x": rand(n + offset)}


def reference(x, offset):
    return x[offset:].clone()


def flops(n, offset):
    return 0
