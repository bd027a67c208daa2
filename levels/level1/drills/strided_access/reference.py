"""out[row][col] = x[row][col] * scale[row]: every row of a row-major matrix times its own number."""


def inputs(rand, rows, cols):
    return {"x": rand(rows, cols), "scale": rand(rows)}


def reference(x, scale):
    return x * scale[:, None]


def flops(rows, cols):
    return rows * cols
