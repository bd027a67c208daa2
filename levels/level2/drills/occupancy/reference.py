"""out[row] = the dot product of x[row] and v, for every row of a row-major matrix."""


def inputs(rand, rows, cols):
    return {"x": rand(rows, cols), "v": rand(cols)}


def reference(x, v):
    return x @ v


def flops(rows, cols):
    return 2 * rows * cols
