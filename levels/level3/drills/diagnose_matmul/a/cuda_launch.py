from grader.cuda import cdiv, load

TILE = 64
DEPTH = 8
BLOCK = 256

multiply = load("cuda_kernel.cu", "multiply")
add_up = load("cuda_kernel.cu", "add_up")


def solve(a, b, out, m, n, k):
    parts = a.new_empty(k // DEPTH, m, n)
    multiply[(n // TILE, cdiv(m, TILE), k // DEPTH), BLOCK](a, b, parts, m)
    add_up[cdiv(m * n // 4, BLOCK), BLOCK](parts, out, m * n // 4)
