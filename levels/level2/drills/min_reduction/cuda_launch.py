"""Host side of the minimum: the result starts at +infinity, then one launch."""

from grader.cuda import cdiv, load, sm_count

BLOCK = 512
BLOCKS_PER_SM = 4  # 4 * 512 = 2048 threads, as many as an SM of a data-centre GPU holds at once

min_all = load("cuda_kernel.cu", "min_all")


def solve(x, out, n):
    # TODO: fill out with +infinity, then launch min_all with at most BLOCKS_PER_SM blocks for each SM
    pass
