"""Host side of LayerNorm: a block for each row, as many threads as the row can feed."""

from grader.cuda import cdiv, load

WARP = 32

layernorm = load("cuda_kernel.cu", "layernorm")


def solve(x, weight, bias, out, rows, cols):
    # TODO: launch layernorm with one block for each row, of whole warps
    pass
