"""Benchmarks beside the same work in NumPy, checks on. `pytest tests/vgpu/test_speed.py --benchmark-only` shows the
table and holds the virtual GPU to its limits; a run of all tests asserts no times."""

import numpy as np
import pytest
from golden import CASES
from test_module import ADD

LIMITS = {"vector add": 1.0, "matmul 64": 36.0, "matmul 256": 1350.0, "softmax": 11.0}  # ms on 2 cores
SLACK = 1.3


def source(name):
    import golden_basic  # noqa: F401

    return next(case.source for case in CASES if case.name == name)


@pytest.fixture
def timed(benchmark, pytestconfig):
    """timed(group, function, limited): one row of the group's table; `limited` holds its fastest round to LIMITS."""

    def run(group, function, limited=True):
        benchmark.group = group
        benchmark(function)
        if limited and pytestconfig.getoption("benchmark_only"):
            assert benchmark.stats.stats.min * 1e3 <= LIMITS[group] * SLACK

    return run


pytestmark = pytest.mark.benchmark(min_rounds=3, max_time=0.2, warmup=True)


def test_vector_add(timed, cuda):
    a, c = np.ones(10_000, np.float32), np.empty(10_000, np.float32)
    kernel = cuda(ADD).kernel("add")
    timed("vector add", lambda: kernel.launch(40, 256, (a, a, c, 10_000)))


def test_vector_add_numpy(timed):
    a = np.ones(10_000, np.float32)
    timed("vector add", lambda: a + a, limited=False)


@pytest.mark.parametrize("n", [64, 256])
def test_matmul(timed, cuda, n):
    a, c = np.ones((n, n), np.float32), np.empty((n, n), np.float32)
    kernel = cuda(source("matmul_tiled")).kernel("k")
    timed(f"matmul {n}", lambda: kernel.launch((n // 16, n // 16), (16, 16), (a, a, c, n, n, n)))


@pytest.mark.parametrize("n", [64, 256])
def test_matmul_numpy(timed, n):
    a = np.ones((n, n), np.float32)
    timed(f"matmul {n}", lambda: a @ a, limited=False)


ROWS = np.random.default_rng(0).standard_normal((32, 1000)).astype(np.float32)


def test_softmax(timed, cuda):
    kernel = cuda(source("softmax_rows")).kernel("k")
    timed("softmax", lambda: kernel.launch(32, 256, (ROWS, np.empty_like(ROWS), 1000)))


def test_softmax_numpy(timed):
    def softmax():
        e = np.exp(ROWS - ROWS.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True)

    timed("softmax", softmax, limited=False)
