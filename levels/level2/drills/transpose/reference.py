"""out[col][row] = x[row][col]: the transpose of a row-major matrix, as a matrix of its own."""


def inputs(rand, rows, cols):
    return {"x": rand(rows, cols)}


def reference(x):
    return x.T.contiguous()


def flops(rows, cols):
    return 0
