"""Host side of SiLU: four elements for each thread."""

from grader.cuda import cdiv, load

BLOCK = 128

silu = load("cuda_kernel.cu", "silu")


def solve(x, out, n):
    # SOLUTION: launch silu with blocks of BLOCK threads; each thread owns four elements, three more the tail
    silu[cdiv(n // 4 + 3, BLOCK), BLOCK](x, out, n)
    # END SOLUTION
