"""Host side of SwiGLU: a thread for each eight elements, and one for what is left."""

from grader.cuda import cdiv, load

BLOCK = 256

swiglu = load("cuda_kernel.cu", "swiglu")


def solve(gate, up, out, n):
    # TODO: launch swiglu with blocks of BLOCK threads: one thread for each eight elements, the last eight ragged
    pass
