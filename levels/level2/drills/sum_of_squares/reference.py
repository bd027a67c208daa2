"""out[0] = x[0]^2 + x[1]^2 + ... + x[n - 1]^2: the square of the vector's length."""


def inputs(rand, n):
    return {"x": rand(n)}


def reference(x):
    return x.square().sum().reshape(1)


def flops(n):
    return 2 * n
