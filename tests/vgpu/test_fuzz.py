"""Mutated PTX never crashes or hangs the parser and the code generator: it runs, or is refused by name."""

import random

import numpy as np

from grader.vgpu import LaunchError, Module, PtxError, Unsupported
from grader.vgpu.nvrtc import compile as compile_cuda

SOURCE = """
__device__ __noinline__ int twice(int v) { return v * 2; }
extern "C" __global__ void k(const float* x, float* y, int n) {
    __shared__ float s[64]; int a[4]; int t = threadIdx.x;
    for (int i = 0; i < 4; i++) a[i] = i * n;
    s[t] = x[t]; __syncthreads();
    if (t < n) y[t] = s[63 - t] + __shfl_xor_sync(~0u, s[t], 1) + twice(a[t & 3]);
}
"""


def mutate(rng, text):
    lines = text.split("\n")
    for _ in range(rng.randint(1, 3)):
        i = rng.randrange(len(lines))
        kind = rng.randrange(5)
        if kind == 0:
            lines[i] = ""
        elif kind == 1:
            lines[i] = lines[rng.randrange(len(lines))]
        elif lines[i]:
            at = rng.randrange(len(lines[i]))
            junk = rng.choice(["", "x", ";", "{", "}", "%r9", ".u32", "-1", "0f", "@", "999999999999"])
            lines[i] = lines[i][:at] + junk + lines[i][at + (kind > 3) :]
    return "\n".join(lines)


def test_mutated_texts():
    text = compile_cuda(SOURCE, name="kernel.cu", arch="compute_80").image.decode()
    rng = random.Random(11)
    outcomes = {"runs": 0, "refused": 0}
    for _ in range(2000):
        try:
            Module(mutate(rng, text)).kernel("k")
            outcomes["runs"] += 1
        except (PtxError, Unsupported, LaunchError):
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 100


def test_the_original_runs():
    module = Module(compile_cuda(SOURCE, name="kernel.cu", arch="compute_80").image.decode())
    x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
    assert module.kernel("k").launch(1, 64, (x, y, 64)).findings == ()
