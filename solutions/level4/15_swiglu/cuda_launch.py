"""Host side of SwiGLU: a thread for each eight elements, and one for what is left."""

from grader.cuda import cdiv, load

BLOCK = 256

swiglu = load("cuda_kernel.cu", "swiglu")


def solve(gate, up, out, n):
    # SOLUTION: launch swiglu with blocks of BLOCK threads: one thread for each eight elements, the last eight ragged
    swiglu[cdiv(cdiv(n, 8), BLOCK), BLOCK](gate, up, out, n)
    # END SOLUTION
