"""Host side of the volume permute: a grid of three dimensions, x first."""

from grader.cuda import cdiv, load

BLOCK_X, BLOCK_Y, BLOCK_Z = 32, 4, 2
EACH = 8  # values of j for each thread: that many loads are under way at once

permute = load("cuda_kernel.cu", "permute", EACH=EACH)  # EACH is a macro there


def solve(x, out, d, h, w):
    # SOLUTION: launch permute with blocks of BLOCK_X x BLOCK_Y x BLOCK_Z threads: x covers w, y h in EACHs, z d
    grid = (cdiv(w, BLOCK_X), cdiv(h, EACH * BLOCK_Y), cdiv(d, BLOCK_Z))
    permute[grid, (BLOCK_X, BLOCK_Y, BLOCK_Z)](x, out, d, h, w)
    # END SOLUTION
