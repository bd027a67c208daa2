"""Mutated PTX never crashes or hangs the parser and the code generator: it runs, or is refused by name."""

import random
import re
import signal
from contextlib import contextmanager

import numpy as np
import pytest

from grader.vgpu import LaunchError, Module, PtxError, Unsupported
from grader.vgpu.nvrtc import compile as compile_cuda

TEXTS = 2000
SECONDS = 10  # for one text, on a busy machine; the usual is some milliseconds
PLAIN = """
__device__ __noinline__ int twice(int v) { return v * 2; }
extern "C" __global__ void k(const float* x, float* y, int n) {
    __shared__ float s[64]; int a[4]; int t = threadIdx.x;
    for (int i = 0; i < 4; i++) a[i] = i * n;
    s[t] = x[t]; __syncthreads();
    if (t < n) y[t] = s[63 - t] + __shfl_xor_sync(~0u, s[t], 1) + twice(a[t & 3]);
}
"""
RICH = """
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
struct P { int w[3]; double scale; };
__constant__ float table[4] = {1, 2, 3, 4};
extern "C" __global__ void k(const half* x, float* y, int n, P p) {
    using namespace nvcuda::wmma; __shared__ __align__(16) half s[256]; int t = threadIdx.x;
    __pipeline_memcpy_async(s + 8 * t, x + 8 * t, 16); __pipeline_commit(); __pipeline_wait_prior(0); __syncwarp();
    fragment<matrix_a, 16, 16, 16, half, row_major> a; fragment<matrix_b, 16, 16, 16, half, col_major> b;
    fragment<accumulator, 16, 16, 16, float> c; fill_fragment(c, 0.0f);
    load_matrix_sync(a, s, 16); load_matrix_sync(b, s, 16); mma_sync(c, a, b, c);
    store_matrix_sync(y, c, 16, mem_row_major);
    switch (p.w[t % 3]) { case 0: y[t] += 1; break; case 1: y[t] *= 3; break; case 2: y[t] -= table[t & 3]; break;
        case 3: y[t] = p.scale; break; case 4: y[t] = __ldg(y + n); break; case 5: atomicAdd(y + 300, 1.0f); break; }
    if (__any_sync(~0u, t == n)) printf("%d %f\\n", t, y[t]);
    atomicMax((int*)y + 301, __popc(t) + __reduce_add_sync(~0u, t)); y[302] = __hadd(x[t], x[n]);
}
"""
JUNK = ["", "x", ";", "{", "}", "%r9", ".u32", "-1", "0f", "@", "999999999999", "\x00", ".v4", "<", "[", '"', "/*"]


def text_of(source):
    text = compile_cuda(source, name="kernel.cu", arch="compute_80").image.decode()
    return text.split("\t.file")[0]  # what follows only names files, and is most of the text


def mutate(rng, text, tokens):
    """The text with one to three changes: a line dropped or copied, junk put in, or one token in another's place."""
    lines = text.split("\n")
    for _ in range(rng.randint(1, 3)):
        i = rng.choice([i for i, line in enumerate(lines) if line.strip()])
        kind = rng.randrange(6)
        at = rng.randrange(len(lines[i]))
        if kind == 0:
            lines[i] = ""
        elif kind == 1:
            lines[i] = lines[rng.randrange(len(lines))]
        elif kind == 2:
            found = list(re.finditer(r"[.%\w]+", lines[i])) or [re.match("", lines[i])]
            start, end = rng.choice(found).span()
            lines[i] = lines[i][:start] + rng.choice(tokens) + lines[i][end:]
        else:
            lines[i] = lines[i][:at] + rng.choice(JUNK) + lines[i][at + (kind > 4) :]
    return "\n".join(lines)


@contextmanager
def at_most(seconds):
    def too_long(number, frame):
        raise TimeoutError(f"still busy after {seconds} s")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("source, share", [(PLAIN, 0.8), (RICH, 0.2)], ids=["plain", "rich"])
def test_mutated_texts(source, share):
    text = text_of(source)
    Module(text).kernel("k")
    tokens = sorted(set(re.findall(r"[.%\w]+", text)))
    rng = random.Random(11)
    seen, outcomes = {text}, {"runs": 0, "refused": 0}
    while len(seen) <= TEXTS * share:
        mutated = mutate(rng, text, tokens)
        if mutated in seen:
            continue
        seen.add(mutated)
        try:
            with at_most(SECONDS):
                Module(mutated).kernel("k")
            outcomes["runs"] += 1
        except (PtxError, Unsupported, LaunchError):
            outcomes["refused"] += 1
    assert sum(outcomes.values()) == TEXTS * share and min(outcomes.values()) > TEXTS * share / 20


def test_the_original_runs():
    x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
    assert Module(text_of(PLAIN)).kernel("k").launch(1, 64, (x, y, 64)).findings == ()
