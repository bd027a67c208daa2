"""out = alpha * x, element by element; alpha is a number, not a tensor."""


def inputs(rand, n, alpha):
    return {"x": rand(n)}


def reference(x, alpha):
    return alpha * x


def flops(n, alpha):
    return n
