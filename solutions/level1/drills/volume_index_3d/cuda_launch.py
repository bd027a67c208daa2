"""Host side of the volume permute: a grid of three dimensions, x first."""

from grader.cuda import cdiv, load

BLOCK_X, BLOCK_Y, BLOCK_Z = 32, 4, 2

permute = load("cuda_kernel.cu", "permute")


def solve(x, out, d, h, w):
    # SOLUTION: launch permute with blocks of BLOCK_X x BLOCK_Y x BLOCK_Z threads: x covers w, y covers h, z covers d
    grid = (cdiv(w, BLOCK_X), cdiv(h, BLOCK_Y), cdiv(d, BLOCK_Z))
    permute[grid, (BLOCK_X, BLOCK_Y, BLOCK_Z)](x, out, d, h, w)
    # END SOLUTION
