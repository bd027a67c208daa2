"""Host side of the vectorized copy: it knows the offset, so it chooses the kernel."""

from grader.cuda import cdiv, load

BLOCK = 256

copy4 = load("cuda_kernel.cu", "copy4")
copy1 = load("cuda_kernel.cu", "copy1")


def solve(x, out, n, offset):
    # TODO: launch copy4 where the offset allows 16-byte access, copy1 where it does not
    pass
