"""Host side of the vectorized copy: it knows the offset, so it chooses the kernel."""

from grader.cuda import cdiv, load

BLOCK = 256

copy4 = load("cuda_kernel.cu", "copy4")
copy1 = load("cuda_kernel.cu", "copy1")


def solve(x, out, n, offset):
    # SOLUTION: launch copy4 where the offset allows 16-byte access, copy1 where it does not
    if offset % 4 == 0:
        copy4[cdiv(n // 4 + 3, BLOCK), BLOCK](x, out, n, offset)
    else:
        copy1[cdiv(n, BLOCK), BLOCK](x, out, n, offset)
    # END SOLUTION
