from grader.cuda import load

SLAB = 32
WARPS = 4

statistics = load("cuda_kernel.cu", "statistics")
divide = load("cuda_kernel.cu", "divide")


def solve(x, out, rows, cols):
    largest, sum_ = x.new_empty(SLAB), x.new_empty(SLAB)  # scratch for a slab, and no more
    shape = SLAB // WARPS, (32, WARPS)
    for top in range(0, rows, SLAB):
        statistics[shape](x, largest, sum_, rows, top)
        divide[shape](x, largest, sum_, out, rows, top)
