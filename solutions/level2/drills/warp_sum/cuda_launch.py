"""Host side of the warp sum: four elements for each thread."""

from grader.cuda import cdiv, load

BLOCK = 256

warp_sums = load("cuda_kernel.cu", "warp_sums")


def solve(x, out, n):
    # SOLUTION: launch warp_sums with blocks of BLOCK threads over all of x
    warp_sums[cdiv(n, 4 * BLOCK), BLOCK](x, out, n)
    # END SOLUTION
