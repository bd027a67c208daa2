from time import perf_counter

from grader.cuda import load, synchronize

SLAB = 64
TILE = 16

matmul = load("cuda_kernel.cu", "matmul")


def solve(a, b, out, m, n, k):
    seconds = []  # of each slab
    for top in range(0, m, SLAB):
        synchronize()
        started = perf_counter()
        matmul[(n // TILE, SLAB // TILE), (TILE, TILE)](a, b, out, m, top)
        synchronize()
        seconds.append(perf_counter() - started)
