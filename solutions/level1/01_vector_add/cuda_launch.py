"""Host side of vector add: how many blocks of how many threads."""

from grader.cuda import cdiv, load

BLOCK = 256

add = load("cuda_kernel.cu", "add")


def solve(a, b, out, n):
    # SOLUTION: launch add[grid, block](a, b, out, n) with enough blocks of BLOCK threads to cover n elements
    EACH = 8  # elements for each thread
    add[cdiv(n, EACH * BLOCK), BLOCK](a, b, out, n)
    # END SOLUTION
