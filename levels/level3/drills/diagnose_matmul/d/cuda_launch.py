from grader.cuda import load

SLAB = 8

matmul = load("cuda_kernel.cu", "matmul")


def solve(a, b, out, m, n, k):
    for top in range(0, m, SLAB):
        matmul[n // 32, (32, SLAB)](a, b, out, m, top)
